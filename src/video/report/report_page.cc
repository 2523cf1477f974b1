// The page of a report. Its script draws everything from JSON: the report as `octavo video report --json-output` writes
// it, and the images. Cards of pairs are made when they are looked at, so that pages of many pairs stay quick.

#include <array>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

#include "io/pages/base64.h"
#include "io/pages/page.h"
#include "io/pages/shared_text.h"
#include "video/report/page_parts.h"
#include "video/report/report_files.h"
#include "video/report/report_json.h"

namespace octavo {

extern const std::string_view video_report_html;
extern const std::string_view video_report_js;

namespace {

Json as_json(const ReportFrame& frame) {
  return {{"jpeg", base64(frame.image.jpeg)},
          {"width", frame.image.width},
          {"height", frame.image.height},
          {"seconds", frame.seconds}};
}

Json as_json(const std::array<std::optional<ReportFrame>, 3>& frames) {
  Json list = Json::array();
  for (const auto& frame : frames) list.push_back(frame ? as_json(*frame) : Json());
  return list;
}

Json as_json(const AgreeingFrames& why) { return {{"a", as_json(why.a)}, {"b", as_json(why.b)}, {"lines", why.lines}}; }

Json as_json(const ReportAffinity& affinity) {
  return {{"png", base64(affinity.png)},
          {"in_a", affinity.a_in},
          {"out_a", affinity.a_out},
          {"in_b", affinity.b_in},
          {"out_b", affinity.b_out}};
}

Json as_json(const PairImages& pair) {
  Json segments = Json::array();
  for (const SegmentFrames& frames : pair.segments) {
    segments.push_back({{"a", as_json(frames.a)}, {"b", as_json(frames.b)}});
  }
  return {{"best", pair.best},
          {"segments", segments},
          {"why", pair.why ? as_json(*pair.why) : Json()},
          {"affinity", pair.affinity ? as_json(*pair.affinity) : Json()}};
}

Json as_json(const ReportImages& images) {
  Json pairs = Json::object(), lacking = Json::object();
  for (const PairImages& pair : images.pairs) pairs[std::to_string(pair.pair)] = as_json(pair);
  for (const auto& [clip, reason] : images.lacking) lacking[std::to_string(clip)] = reason;
  return {{"pairs", pairs}, {"left_out_count", images.left_out}, {"lacking", lacking}};
}

// The files that the report names, and its archive.
std::vector<std::filesystem::path> files_of(const VideoReport& report) {
  std::vector<std::filesystem::path> files{report.archive};
  const auto add = [&files](const ArchivedClip& clip) {
    files.insert(files.end(), clip.files.begin(), clip.files.end());
  };
  for (const ReportClip& clip : report.clips) add(clip.clip), files.push_back(clip.readable);
  for (const ReportFailure& failure : report.failures) files.push_back(failure.file);
  for (const RecurringSegment& recurring : report.recurring) {
    for (const RecurringPlace& place : recurring.places) add(place.clip);
  }
  return files;
}

// From no folder are both clips found by the names that the page has of them. Their contents are.
void call_by_content(Json& pairs, const VideoReport& report) {
  for (std::size_t i = 0; i < report.pairs.size(); ++i) {
    Json& call = pairs[i]["verdict_call"];
    if (call.is_null()) continue;
    call[3] = report.clips[report.pairs[i].a].clip.content;
    call[4] = report.clips[report.pairs[i].b].clip.content;
  }
}

}  // namespace

std::string page_of(const VideoReport& report, const ReportImages& images) {
  const std::string title = (report.is_search ? "Found in " : "Duplicates in ") + report.archive.filename().string();
  const std::vector<std::filesystem::path> files = files_of(report);
  Json json = video_report::as_json(report);
  if (!lie_in_a_folder(files)) call_by_content(json["pairs"], report);
  const std::string told = json_without_folders(json_text(json), places_below_all(files));
  const std::string data = R"({"report":)" + told + R"(,"images":)" + json_text(as_json(images)) + "}";
  const std::array styles{report_css, video_report_css};
  const std::array scripts{video_words_js, video_timeline_js, video_images_js,
                           video_pairs_js, video_files_js,    video_report_js};
  return assemble_page({.title = title, .body = video_report_html, .styles = styles, .scripts = scripts, .json = data});
}

std::string json_of(const AgreeingFrames& why) { return json_text(as_json(why)); }

}  // namespace octavo
