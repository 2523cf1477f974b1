#include "jobs/frame_list.h"

#include <fmt/core.h>

#include "io/json/json.h"
#include "octavo/video/video.h"
#include "video/report/report_json.h"

namespace octavo::jobs {
namespace {

std::string ratio_text(const Ratio& ratio, const char* separator) {
  return fmt::format("{}{}{}", ratio.numerator, separator, ratio.denominator);
}

Json json_of_clip(const std::string& clip, const VideoFacts& facts) {
  Json json{{"clip", clip},
            {"container", facts.container},
            {"codec", facts.codec},
            {"pixel_format", facts.pixel_format},
            {"width", facts.width},
            {"height", facts.height},
            {"pixel_aspect", ratio_text(facts.pixel_aspect, ":")},
            {"rotation", facts.rotation},
            {"mirrored", facts.mirrored},
            {"matrix", facts.matrix},
            {"matrix_assumed", facts.matrix_assumed},
            {"range", facts.limited_range ? "limited" : "full"},
            {"time_base", ratio_text(facts.time_base, "/")}};
  if (facts.black < facts.white) {
    json["black"] = facts.black;
    json["white"] = facts.white;
  }
  json["start_ticks"] = facts.start ? Json(*facts.start) : Json();
  json["frame_rate"] = facts.frame_rate.numerator > 0 ? Json(ratio_text(facts.frame_rate, "/")) : Json();
  json["time_code"] = text_or_null(facts.time_code);
  json["declared_frame_count"] = facts.declared_frames > 0 ? Json(facts.declared_frames) : Json();
  json["declared_seconds"] = facts.declared_seconds > 0 ? Json(facts.declared_seconds) : Json();
  return json;
}

Json json_of_frame(const ListedFrame& listed) {
  const VideoFrame& frame = listed.frame;
  const PixelRectangle& active = listed.content.active;
  Json json{{"index", frame.index},
            {"ticks", frame.ticks},
            {"seconds", frame.seconds},
            {"duration_ticks", frame.duration_ticks},
            {"key", frame.key},
            {"interlaced", frame.interlaced},
            {"damaged", frame.damaged},
            {"time_is_guessed", frame.time_is_guessed},
            {"stored_width", frame.stored_width},
            {"stored_height", frame.stored_height},
            {"width", frame.grey.width()},
            {"height", frame.grey.height()},
            {"junk", name_of(listed.content.junk)},
            {"active", {active.x, active.y, active.width, active.height}},
            {"repeats", listed.repeats}};
  if (!listed.file.empty()) json["file"] = listed.file;
  return json;
}

}  // namespace

FrameList::FrameList(const std::function<bool(std::string_view)>& print, bool several)
    : print_(print), several_(several) {
  if (several_) this->print("[");
}

void FrameList::print(const std::string& piece) {
  if (print_ && !is_broken_) is_broken_ = !print_(piece);
}

void FrameList::begin(const std::string& clip, const VideoFacts& facts) {
  runs_.clear();
  if (!print_) return;
  std::string text = json_text(json_of_clip(clip, facts));
  text.pop_back();  // the list of frames follows
  print((is_first_clip_ ? "" : ",\n") + text + ",\"frames\":[");
  is_first_clip_ = false;
  is_first_frame_ = true;
}

void FrameList::add(const ListedFrame& listed) {
  if (!print_) return;
  print((is_first_frame_ ? "\n" : ",\n") + json_text(json_of_frame(listed)));
  is_first_frame_ = false;
}

void FrameList::end(const Video& video, const std::string& error) {
  if (!print_) return;
  Json runs = Json::array();
  for (const FrameRun& run : runs_) {
    runs.push_back(
        {{"first", run.first}, {"last", run.last}, {"frame_count", run.frames}, {"in", run.begin}, {"out", run.end}});
  }
  const Json tail{{"runs", std::move(runs)},
                  {"decoded_frame_count", video.decoded()},
                  {"warnings", video_report::as_json(video.warnings())},
                  {"problems", video_report::problems_json(error)}};
  print("],\n" + json_text(tail).substr(1));
}

void FrameList::finish() { print(several_ ? "]\n" : is_first_clip_ ? "" : "\n"); }

}  // namespace octavo::jobs
