#include "cli/video/segments.h"

#include <fmt/core.h>

#include <cmath>

#include "video/frames/contact_sheet.h"
#include "video/report/report_files.h"

namespace octavo::cli {

Json segments_json(const ShownSegments& shown, const std::string& a, const std::string& b) {
  return parse_json(json_of(shown.segments, shown.are_exact, a, b));
}

std::string segments_text(const ShownSegments& shown, const std::string& a, const std::string& b) {
  const auto range = [](double from, double to) { return time_text(from) + " - " + time_text(to); };
  std::string text =
      fmt::format("  {:<27}  {:<27}  {:>5}  {:>6}  {}\n", "in " + a, "in " + b, "speed", "score", "image");
  for (const CopySegment& s : shown.segments) {
    const Similarity& t = s.other_from_query;
    text += fmt::format("  {:<27}  {:<27}  {:>5.2f}  {:>6.0f}  {:.2f} x{}\n", range(s.query_in, s.query_out),
                        range(s.other_in, s.other_out), s.speed, s.score, std::sqrt(t.a * t.a + t.b * t.b),
                        s.mirrored ? ", mirrored" : "");
  }
  return text;
}

}  // namespace octavo::cli
