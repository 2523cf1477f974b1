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
