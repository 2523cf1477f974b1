#include "cli/video/frame_list.h"

#include <fmt/core.h>

#include "io/json/json.h"
#include "video/report/report_json.h"

namespace octavo::cli {
namespace {

std::string text_of(const Ratio& ratio, const char* separator) {
  return fmt::format("{}{}{}", ratio.numerator, separator, ratio.denominator);
}

Json as_json(const std::string& clip, const VideoFacts& facts) {
  Json json{{"clip", clip},
            {"container", facts.container},
            {"codec", facts.codec},
            {"pixel_format", facts.pixel_format},
            {"width", facts.width},
            {"height", facts.height},
            {"pixel_aspect", text_of(facts.pixel_aspect, ":")},
            {"rotation", facts.rotation},
            {"mirrored", facts.mirrored},
            {"matrix", facts.matrix},
            {"matrix_assumed", facts.matrix_assumed},
            {"range", facts.limited_range ? "limited" : "full"},
            {"time_base", text_of(facts.time_base, "/")}};
  if (facts.black < facts.white) {
    json["black"] = facts.black;
    json["white"] = facts.white;
  }
  json["start_ticks"] = facts.start ? Json(*facts.start) : Json();
  json["frame_rate"] = facts.frame_rate.numerator > 0 ? Json(text_of(facts.frame_rate, "/")) : Json();
  json["declared_frame_count"] = facts.declared_frames > 0 ? Json(facts.declared_frames) : Json();
  json["declared_seconds"] = facts.declared_seconds > 0 ? Json(facts.declared_seconds) : Json();
  return json;
}

Json as_json(const ListedFrame& listed) {
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

FrameList::FrameList(bool json, bool several) : json_(json), several_(several) {
  if (json_ && several_) out_.print("[");
}

void FrameList::begin(const std::string& clip, const VideoFacts& facts) {
  clip_ = clip;
  frames_ = black_ = flat_ = titles_ = bars_ = repeats_ = interlaced_ = 0;
  runs_.clear();
  if (!json_) return;
  std::string text = json_text(as_json(clip, facts));
  text.pop_back();  // the list of frames follows
  out_.print((is_first_clip_ ? "" : ",\n") + text + ",\"frames\":[");
  is_first_clip_ = false;
}

void FrameList::add(const ListedFrame& listed) {
  if (json_) out_.print((frames_ == 0 ? "\n" : ",\n") + json_text(as_json(listed)));
  ++frames_;
  black_ += listed.content.junk == Junk::black ? 1 : 0;
  flat_ += listed.content.junk == Junk::flat ? 1 : 0;
  titles_ += listed.content.junk == Junk::title ? 1 : 0;
  bars_ += listed.content.junk == Junk::bars ? 1 : 0;
  repeats_ += listed.repeats ? 1 : 0;
  interlaced_ += listed.frame.interlaced ? 1 : 0;
}

void FrameList::end(const Video& video, const std::string& error) {
  const VideoFacts& facts = video.facts();
  if (!json_) {
    out_.print(
        fmt::format("{}: {} {}x{}, {} of {} frames taken: {} black, {} flat, {} titles, {} bars, {} repeats, "
                    "{} interlaced\n",
                    clip_, facts.codec, facts.width, facts.height, frames_, video.decoded(), black_, flat_, titles_,
                    bars_, repeats_, interlaced_));
    return;
  }
  Json tail{{"runs", Json::array()},
            {"decoded_frame_count", video.decoded()},
            {"warnings", video_report::as_json(video.warnings())},
            {"problems", video_report::problems_json(error)}};
  for (const FrameRun& run : runs_) {
    tail["runs"].push_back(
        {{"first", run.first}, {"last", run.last}, {"frame_count", run.frames}, {"in", run.begin}, {"out", run.end}});
  }
  out_.print("],\n" + json_text(tail).substr(1));
}

void FrameList::finish() {
  if (json_) out_.print(several_ ? "]\n" : is_first_clip_ ? "" : "\n");
  out_.require_whole();
}

}  // namespace octavo::cli
