#include "cli/video/archive.h"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstdint>

namespace octavo::cli {

void add_archive_option(CLI::App& command, std::string& folder, const std::string& description) {
  command.add_option("--index", folder, description)->required()->type_name("DIR");
}

nlohmann::ordered_json clip_json(const ArchivedClip& clip) {
  const ClipFacts& facts = clip.facts;
  nlohmann::ordered_json json{
      {"id", clip.id},        {"content", clip.content}, {"size", clip.size},     {"container", facts.container},
      {"codec", facts.codec}, {"width", facts.width},    {"height", facts.height}};
  if (facts.frame_rate.numerator > 0) {
    json["frame_rate"] = fmt::format("{}/{}", facts.frame_rate.numerator, facts.frame_rate.denominator);
  } else {
    json["frame_rate"] = nullptr;
  }
  json["seconds"] = facts.seconds;
  json["frames"] = facts.frames;
  json["decoder"] = facts.decoder;
  json["warnings"] = nlohmann::ordered_json::array();
  for (const VideoWarning& warning : facts.warnings) {
    json["warnings"].push_back({{"name", warning.name}, {"sentence", warning.sentence}});
  }
  json["segment"] = clip.segment;
  json["segment_size"] = clip.segment_size;
  json["work_seconds"] = clip.work_seconds;
  return json;
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
