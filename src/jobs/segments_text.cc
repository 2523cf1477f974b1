#include "jobs/segments_text.h"

#include <fmt/core.h>

#include <cmath>

#include "video/frames/contact_sheet.h"
#include "video/report/report_json.h"

namespace octavo::jobs {
namespace {

// A segment has a length in a clip, and none in an image.
std::string range_text(double from, double to) {
  return from == to ? "image" : time_text(from) + " - " + time_text(to);
}

std::string remarks_on(const CopySegment& s, const video_report::Turn& turn) {
  const double stretch = s.other_from_query.stretch;
  std::string text;
  if (s.mirrored) text += ", mirrored";
  if (s.negative) text += ", negative";
  if (std::abs(turn.degrees) >= 1) text += fmt::format(", turned by {:.0f}°", turn.degrees);
  if (std::abs(stretch - 1) >= 0.005) text += fmt::format(", stretched by {:.2f}", stretch);
  if (s.still || s.shaken) text += s.still ? ", still" : ", shaken";
  if (!s.exact_ends) text += fmt::format(", ends within {:.2f} s", s.ends_within);
  return text;
}

}  // namespace

std::string segments_text(const std::vector<CopySegment>& segments, const std::string& a, const std::string& b) {
  std::string text =
      fmt::format("  {:<27}  {:<27}  {:>5}  {:>6}  {}\n", "in " + a, "in " + b, "speed", "score", "image");
  for (const CopySegment& s : segments) {
    const video_report::Turn turn = video_report::turn_of(s.other_from_query);
    text += fmt::format("  {:<27}  {:<27}  {:>5.2f}  {:>6.0f}  {:.2f} x{}\n", range_text(s.query_in, s.query_out),
                        range_text(s.other_in, s.other_out), s.speed, s.score, turn.scale, remarks_on(s, turn));
  }
  return text;
}

}  // namespace octavo::jobs
