// Times as editors count them.

#include "video/report/clip_frames.h"

#include <cmath>
#include <utility>

#include "octavo/video/video_report.h"

namespace octavo::video_report {

ClipFrames::ClipFrames(const ArchivedClip& clip) {
  const Ratio rate = counting_rate(clip);
  rate_ = static_cast<double>(rate.numerator) / static_cast<double>(rate.denominator);
  if (clip.facts.frame_rate.numerator == 0) return;
  code_ = TimeCode::of(clip.facts.time_code, rate);
  if (!code_) code_ = TimeCode::of("", rate);  // what the file says is no time code of its rate
}

std::int64_t ClipFrames::at(double seconds) const { return std::llround(seconds * rate_); }

std::string ClipFrames::label(double seconds) const { return code_ ? code_->label(at(seconds)) : std::string(); }

void add_frames(Json& json, const std::string& side, const ArchivedClip& clip, double in, double out) {
  const ClipFrames frames(clip);
  for (const auto& [end, seconds] : {std::pair("in", in), std::pair("out", out)}) {
    const std::string label = frames.label(seconds);
    json[std::string(end) + "_frame_" + side] = label.empty() ? Json() : Json(frames.at(seconds));
    json[std::string(end) + "_time_code_" + side] = label.empty() ? Json() : Json(label);
  }
}

}  // namespace octavo::video_report
