#include "cli/video/archive.h"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <set>

#include "cli/command_line.h"
#include "cli/wrong_call.h"
#include "video/frames/contact_sheet.h"

namespace octavo::cli {

void add_archive_option(Command& command, std::filesystem::path& folder, const std::string& description) {
  command.add_option("--index", folder, description).required().type_name("DIR");
}

void add_archives_option(Command& command, std::vector<std::string>& folders) {
  command
      .add_option("--index", folders,
                  "The folder of the archive. Given again, several archives are searched as if they were one.")
      .required()
      .type_name("DIR");
}

CommandOption& add_no_mirror(Command& command, SearchOptions& search) {
  return command.add_flag(
      "--no-mirror", [&search] { search.mirrored = false; }, "Do not find mirrored copies.");
}

CommandOption& add_negative(Command& command, bool& negative) {
  return command.add_flag("--negative", negative, "Find copies that are negatives too. Takes as long again.");
}

CommandOption& add_edl(Command& command, std::filesystem::path& folder) {
  return command
      .add_option(
          "--edl", folder,
          "Write edit decision lists (CMX 3600) into this folder, NAME.edl and so on. It is made if it does not "
          "exist.")
      .type_name("DIR")
      .group("Output options");
}

CommandOption& add_reversed(Command& command, bool& reversed) {
  return command.add_flag("--reversed", reversed, "Find copies that run backwards too. Their speed is below 0.");
}

std::string segments_text(const std::vector<CopySegment>& segments, const std::string& a, const std::string& b) {
  // A segment has a length in a clip, and none in an image.
  const auto range = [](double from, double to) {
    return from == to ? "image" : time_text(from) + " - " + time_text(to);
  };
  std::string text =
      fmt::format("  {:<27}  {:<27}  {:>5}  {:>6}  {}\n", "in " + a, "in " + b, "speed", "score", "image");
  for (const CopySegment& s : segments) {
    const Similarity& t = s.other_from_query;
    text +=
        fmt::format("  {:<27}  {:<27}  {:>5.2f}  {:>6.0f}  {:.2f} x{}{}{}{}{}\n", range(s.query_in, s.query_out),
                    range(s.other_in, s.other_out), s.speed, s.score, std::sqrt((t.a * t.a + t.b * t.b) * t.stretch),
                    s.mirrored ? ", mirrored" : "", s.negative ? ", negative" : "",
                    std::abs(t.stretch - 1) < 0.005 ? "" : fmt::format(", stretched by {:.2f}", t.stretch),
                    s.still    ? ", still"
                    : s.shaken ? ", shaken"
                               : "",
                    s.exact_ends ? "" : fmt::format(", ends within {:.2f} s", s.ends_within));
  }
  return text;
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string bytes_text(double bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  for (; bytes >= 999.95 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, units[unit]);
}

}  // namespace octavo::cli
