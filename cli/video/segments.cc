#include "cli/video/segments.h"

#include <fmt/core.h>

#include <cmath>
#include <system_error>

#include "octavo/contact_sheet.h"
#include "octavo/report_files.h"

namespace octavo::cli {

namespace fs = std::filesystem;

ShownSegments with_exact_ends(const std::vector<CopySegment>& segments, const fs::path& query, const fs::path& other,
                              const VideoOptions& video) {
  if (query.empty() || other.empty()) return {segments, false};
  return {refine_ends(segments, query, other, video), true};
}

fs::path readable_file(const ArchivedClip& clip) {
  for (const fs::path& file : clip.files) {
    std::error_code error;
    if (fs::is_regular_file(file, error)) return file;
  }
  return {};
}

nlohmann::ordered_json segments_json(const ShownSegments& shown, const std::string& a, const std::string& b) {
  return nlohmann::ordered_json::parse(json_of(shown.segments, shown.are_exact, a, b));
}

std::string segments_text(const ShownSegments& shown, const std::string& a, const std::string& b) {
  const auto range = [](double from, double to) { return time_text(from) + " - " + time_text(to); };
  std::string text =
      fmt::format("  {:<27}  {:<27}  {:>5}  {:>6}  {}\n", "in " + a, "in " + b, "speed", "score", "picture");
  for (const CopySegment& s : shown.segments) {
    const Similarity& t = s.other_from_query;
    text += fmt::format("  {:<27}  {:<27}  {:>5.2f}  {:>6.0f}  {:.2f} x{}\n", range(s.query_in, s.query_out),
                        range(s.other_in, s.other_out), s.speed, s.score, std::sqrt(t.a * t.a + t.b * t.b),
                        s.mirrored ? ", mirrored" : "");
  }
  return text;
}

}  // namespace octavo::cli
