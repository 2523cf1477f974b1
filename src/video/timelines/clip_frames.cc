// Times as editors count them.

#include "video/timelines/clip_frames.h"

#include <cmath>

namespace octavo::timelines {

ClipFrames::ClipFrames(Ratio rate, std::string_view time_code) : rate_(rate.numerator > 0 ? rate : Ratio{1000, 1}) {
  if (rate.numerator == 0) return;
  code_ = TimeCode::of(time_code, rate);
  if (!code_) code_ = TimeCode::of("", rate);  // what the file says is no time code of its rate
}

double ClipFrames::per_second() const {
  return static_cast<double>(rate_.numerator) / static_cast<double>(rate_.denominator);
}

std::int64_t ClipFrames::at(double seconds) const { return std::llround(seconds * per_second()); }

void add_frame(Json& json, const std::string& name, const std::string& suffix, const ClipFrames& frames,
               double seconds) {
  const bool is_known = frames.has_labels();
  json[name + "_frame" + suffix] = is_known ? Json(frames.at(seconds)) : Json();
  json[name + "_time_code" + suffix] = is_known ? Json(frames.label(frames.at(seconds))) : Json();
}

}  // namespace octavo::timelines
