// Reports as CSV.

#include <fmt/core.h>

#include <array>
#include <cstddef>
#include <string_view>

#include "video/report/csv_field.h"
#include "video/report/report_files.h"
#include "video/report/report_json.h"
#include "video/timelines/clip_frames.h"

namespace octavo {
namespace {

// What a row tells of.
struct Row {
  const VideoReport& report;
  std::size_t pair_number, segment_number;  // from 1

  [[nodiscard]] const ReportPair& pair() const { return report.pairs[pair_number - 1]; }
  [[nodiscard]] const CopySegment& segment() const { return pair().segments[segment_number - 1]; }
  [[nodiscard]] const Similarity& similarity() const { return segment().other_from_query; }
};

std::string seconds(double value) { return fmt::format("{:.6f}", value); }
std::string number(double value) { return fmt::format("{:.6g}", value); }
std::string flag(bool value) { return value ? "true" : "false"; }

struct Column {
  std::string_view name;
  std::string (*text)(const Row& row);
};

// A time as the frame of a clip, and as its time code; empty where the rate of the clip is not known.
std::string frame(const Row& r, std::size_t clip, double seconds) {
  const timelines::ClipFrames frames = timelines::frames_of(r.report.clips[clip].clip.facts);
  return frames.has_labels() ? std::to_string(frames.at(seconds)) : std::string();
}
std::string time_code(const Row& r, std::size_t clip, double seconds) {
  const timelines::ClipFrames frames = timelines::frames_of(r.report.clips[clip].clip.facts);
  return frames.label(frames.at(seconds));
}

const std::array<Column, 33> columns{{
    {"pair", [](const Row& r) { return std::to_string(r.pair_number); }},
    {"segment", [](const Row& r) { return std::to_string(r.segment_number); }},
    {"clip_a", [](const Row& r) { return video_report::file_of(r.report.clips[r.pair().a]).string(); }},
    {"clip_b", [](const Row& r) { return video_report::file_of(r.report.clips[r.pair().b]).string(); }},
    {"in_a", [](const Row& r) { return seconds(r.segment().query_in); }},
    {"out_a", [](const Row& r) { return seconds(r.segment().query_out); }},
    {"in_b", [](const Row& r) { return seconds(r.segment().other_in); }},
    {"out_b", [](const Row& r) { return seconds(r.segment().other_out); }},
    {"in_frame_a", [](const Row& r) { return frame(r, r.pair().a, r.segment().query_in); }},
    {"out_frame_a", [](const Row& r) { return frame(r, r.pair().a, r.segment().query_out); }},
    {"in_frame_b", [](const Row& r) { return frame(r, r.pair().b, r.segment().other_in); }},
    {"out_frame_b", [](const Row& r) { return frame(r, r.pair().b, r.segment().other_out); }},
    {"in_time_code_a", [](const Row& r) { return time_code(r, r.pair().a, r.segment().query_in); }},
    {"out_time_code_a", [](const Row& r) { return time_code(r, r.pair().a, r.segment().query_out); }},
    {"in_time_code_b", [](const Row& r) { return time_code(r, r.pair().b, r.segment().other_in); }},
    {"out_time_code_b", [](const Row& r) { return time_code(r, r.pair().b, r.segment().other_out); }},
    {"still", [](const Row& r) { return flag(r.segment().still); }},
    {"exact_ends", [](const Row& r) { return flag(r.segment().exact_ends); }},
    {"ends_within", [](const Row& r) { return seconds(r.segment().ends_within); }},
    {"speed", [](const Row& r) { return number(r.segment().speed); }},
    {"mirrored", [](const Row& r) { return flag(r.segment().mirrored); }},
    {"negative", [](const Row& r) { return flag(r.segment().negative); }},
    {"scale", [](const Row& r) { return number(video_report::turn_of(r.similarity()).scale); }},
    {"stretch", [](const Row& r) { return number(r.similarity().stretch); }},
    {"degrees", [](const Row& r) { return number(video_report::turn_of(r.similarity()).degrees); }},
    {"shift_x", [](const Row& r) { return number(r.similarity().tx); }},
    {"shift_y", [](const Row& r) { return number(r.similarity().ty); }},
    {"frame_count", [](const Row& r) { return std::to_string(r.segment().frames); }},
    {"inlier_count", [](const Row& r) { return std::to_string(r.segment().inliers); }},
    {"score", [](const Row& r) { return number(r.segment().score); }},
    {"coverage_a", [](const Row& r) { return number(r.pair().a_coverage); }},
    {"coverage_b", [](const Row& r) { return number(r.pair().b_coverage); }},
    {"verdict",
     [](const Row& r) { return r.pair().verdict ? std::string(name_of(r.pair().verdict->judgement)) : std::string(); }},
}};

template <typename Text>
void add_line(std::string& csv, Text text_of_column) {
  for (const Column& column : columns) {
    if (&column != columns.data()) csv += ',';
    csv += video_report::csv_field(text_of_column(column));
  }
  csv += "\r\n";
}

}  // namespace

std::string csv_of(const VideoReport& report) {
  std::string csv;
  add_line(csv, [](const Column& column) { return std::string(column.name); });
  for (std::size_t i = 0; i < report.pairs.size(); ++i) {
    for (std::size_t k = 0; k < report.pairs[i].segments.size(); ++k) {
      const Row row{report, i + 1, k + 1};
      add_line(csv, [&](const Column& column) { return column.text(row); });
    }
  }
  return csv;
}

}  // namespace octavo
