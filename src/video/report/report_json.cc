// Reports as JSON, and what other commands print of clips, segments and pairs, with the same keys.

#include "video/report/report_json.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "video/report/report_files.h"

namespace octavo {
namespace video_report {
namespace {

Json clip_json(const ReportClip& clip) {
  return {{"clip", file_of(clip).string()},
          {"files", files_json(clip.clip)},
          {"in_archive", clip.clip.id != 0},
          {"problems", problems_json(clip.unreadable)},
          {"facts", as_json(clip.clip)}};
}

Json failure_json(const ReportFailure& failure) {
  return {{"clip", failure.file.string()},
          {"size", failure.size ? Json(*failure.size) : Json()},
          {"problems", problems_json(failure.reason)}};
}

Json group_json(const std::vector<std::size_t>& group, const VideoReport& report) {
  std::uint64_t bytes = 0, largest = 0;
  std::size_t files = 0;
  for (const std::size_t i : group) {
    const ArchivedClip& clip = report.clips[i].clip;
    bytes += clip.size * clip.files.size();
    largest = std::max(largest, clip.size);
    files += clip.files.size();
  }
  return {{"indices", group}, {"file_count", files}, {"size", bytes}, {"size_without_largest", bytes - largest}};
}

// The call that judges a pair, as its words; null if a clip is not in the archive.
Json verdict_call(const ReportPair& pair, const VideoReport& report) {
  const ArchivedClip &a = report.clips[pair.a].clip, &b = report.clips[pair.b].clip;
  if (a.id == 0 || b.id == 0) return {};
  return {"octavo",
          "video",
          "verdict",
          a.files.front().string(),
          b.files.front().string(),
          "different",
          "--index",
          report.archive.string()};
}

}  // namespace

Turn turn_of(const Similarity& b_from_a) {
  return {std::hypot(b_from_a.a, b_from_a.b) * std::sqrt(b_from_a.stretch),
          std::atan2(b_from_a.b, b_from_a.a) * 180 / std::numbers::pi};
}

std::filesystem::path file_of(const ReportClip& clip) {
  return clip.readable.empty() ? clip.clip.files.front() : clip.readable;
}

Json problems_json(const std::string& problem) { return problem.empty() ? Json::array() : Json::array({problem}); }

Json files_json(const ArchivedClip& clip) {
  Json files = Json::array();
  for (const std::filesystem::path& file : clip.files) files.push_back(file.string());
  return files;
}

Json as_json(std::span<const VideoWarning> warnings) {
  Json list = Json::array();
  for (const VideoWarning& one : warnings) list.push_back({{"name", one.name}, {"sentence", one.sentence}});
  return list;
}

Json as_json(const ArchivedClip& clip) {
  const ClipFacts& facts = clip.facts;
  const Ratio rate = facts.frame_rate;
  return {{"id", clip.id},
          {"content", clip.content},
          {"size", clip.size},
          {"container", facts.container},
          {"codec", facts.codec},
          {"width", facts.width},
          {"height", facts.height},
          {"frame_rate",
           rate.numerator > 0 ? Json(std::to_string(rate.numerator) + "/" + std::to_string(rate.denominator)) : Json()},
          {"time_code", text_or_null(facts.time_code)},
          {"seconds", facts.seconds},
          {"frame_count", facts.frames},
          {"decoder", facts.decoder},
          {"warnings", as_json(facts.warnings)},
          {"signature_digest", clip.signature_digest},
          {"signature_size", clip.signature_size},
          {"work_seconds", clip.work_seconds}};
}

Json as_json(const CopySegment& s, const SegmentSide& a, const SegmentSide& b) {
  const Similarity& t = s.other_from_query;
  // The difference has no −0.
  const Json similarity{{t.a * t.stretch, 0 - t.b, t.tx}, {t.b * t.stretch, t.a, t.ty}};
  Json json{{"in_" + a.name, s.query_in}, {"out_" + a.name, s.query_out},
            {"in_" + b.name, s.other_in}, {"out_" + b.name, s.other_out},
            {"speed", s.speed},           {"mirrored", s.mirrored},
            {"negative", s.negative},     {"similarity", similarity},
            {"stretch", t.stretch},       {"frame_count", s.frames},
            {"inlier_count", s.inliers},  {"score", s.score},
            {"still", s.still},           {"shaken", s.shaken},
            {"exact_ends", s.exact_ends}, {"ends_within", s.ends_within}};
  timelines::add_frame(json, "in", "_" + a.name, a.frames, s.query_in);
  timelines::add_frame(json, "out", "_" + a.name, a.frames, s.query_out);
  timelines::add_frame(json, "in", "_" + b.name, b.frames, s.other_in);
  timelines::add_frame(json, "out", "_" + b.name, b.frames, s.other_out);
  return json;
}

Json as_json(std::span<const CopySegment> segments, const SegmentSide& a, const SegmentSide& b) {
  Json list = Json::array();
  for (const CopySegment& one : segments) list.push_back(as_json(one, a, b));
  return list;
}

Json as_json(const RecurringSegment& recurring) {
  Json places = Json::array();
  for (const RecurringPlace& place : recurring.places) {
    places.push_back({{"clip", place.clip.files.front().string()},
                      {"content", place.clip.content},
                      {"in", place.in},
                      {"out", place.out}});
  }
  return {{"clip_count", recurring.clips}, {"places", places}};
}

Json as_json(const ReportPair& pair, const VideoReport& report) {
  const SegmentSide a{"a", timelines::frames_of(report.clips[pair.a].clip.facts)};
  const SegmentSide b{"b", timelines::frames_of(report.clips[pair.b].clip.facts)};
  Json segments = Json::array();
  for (const CopySegment& s : pair.segments) {
    const Turn turn = turn_of(s.other_from_query);
    Json one = as_json(s, a, b);
    one["scale"] = turn.scale;
    one["degrees"] = turn.degrees;
    segments.push_back(std::move(one));
  }
  return {{"clip_a", file_of(report.clips[pair.a]).string()},
          {"clip_b", file_of(report.clips[pair.b]).string()},
          {"index_a", pair.a},
          {"index_b", pair.b},
          {"score", pair.score},
          {"coverage_a", pair.a_coverage},
          {"coverage_b", pair.b_coverage},
          {"verdict", pair.verdict ? Json(name_of(pair.verdict->judgement)) : Json()},
          {"note", pair.verdict ? Json(pair.verdict->note) : Json()},
          {"verdict_call", verdict_call(pair, report)},
          {"segments", segments}};
}

Json groups_json(const VideoReport& report) {
  Json groups = Json::array();
  for (const auto& group : report.groups) groups.push_back(group_json(group, report));
  return groups;
}

Json as_json(const VideoReport& report) {
  Json clips = Json::array(), failures = Json::array(), pairs = Json::array(), recurring = Json::array();
  for (const ReportClip& clip : report.clips) clips.push_back(clip_json(clip));
  for (const ReportFailure& failure : report.failures) failures.push_back(failure_json(failure));
  for (const ReportPair& pair : report.pairs) pairs.push_back(as_json(pair, report));
  for (const RecurringSegment& one : report.recurring) recurring.push_back(as_json(one));
  return {{"archive", report.archive.string()},
          {"of", report.is_search ? "search" : "archive"},
          {"settings", parse_json(octavo::json_of(option_table<CopyOptions>(), report.copies))},
          {"mirrored", report.mirrored},
          {"negative", report.negative},
          {"reversed", report.reversed},
          {"same_coverage", report.same_coverage},
          {"clips", clips},
          {"queries", report.is_search ? Json(report.queries) : Json()},
          {"failed_clips", failures},
          {"groups", groups_json(report)},
          {"recurring_segments", recurring},
          {"pairs", pairs}};
}

}  // namespace video_report

std::string json_of(const VideoReport& report) { return json_text(video_report::as_json(report)) + "\n"; }

std::string json_of(const ArchivedClip& clip) { return json_text(video_report::as_json(clip)); }

}  // namespace octavo
