#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/internal_api.h"
#include "io/json/json.h"
#include "octavo/video/video_file.h"
#include "video/frames/time_code.h"

namespace OCTAVO_INTERNAL_API octavo {
namespace timelines {

/// The frames of a clip, counted at the rate of its file, and their time codes.
class ClipFrames {
 public:
  /// The rate of the file and the time code of its first frame, as VideoFacts has them. Where the rate is 0,
  /// milliseconds are counted.
  ClipFrames(Ratio rate, std::string_view time_code);

  /// [1/second]
  [[nodiscard]] Ratio rate() const { return rate_; }
  [[nodiscard]] double per_second() const;
  /// The frame at a time from the first one on.
  [[nodiscard]] std::int64_t at(double seconds) const;
  /// The number of the first frame by the time code of the file; 0 without one.
  [[nodiscard]] std::int64_t first() const { return code_ ? code_->first() : 0; }
  /// The time code of a frame, which counts from the first one on; without one in the file counted from 00:00:00:00.
  /// Empty: the rate is not known.
  [[nodiscard]] std::string label(std::int64_t frame) const { return code_ ? code_->label(frame) : std::string(); }
  /// Whether frames have labels, and whether some are left out.
  [[nodiscard]] bool has_labels() const { return code_.has_value(); }
  [[nodiscard]] bool drops() const { return code_ && code_->drops(); }

 private:
  Ratio rate_;
  std::optional<TimeCode> code_;
};

/// The frames of a clip of which these facts are known: ClipFacts or VideoFacts.
template <class Facts>
ClipFrames frames_of(const Facts& facts) {
  return {facts.frame_rate, facts.time_code};
}

/// Puts the frame and the time code at some time into JSON: "NAME_frameSUFFIX" and "NAME_time_codeSUFFIX", null where
/// the rate of the clip is not known.
void add_frame(Json& json, const std::string& name, const std::string& suffix, const ClipFrames& frames,
               double seconds);

}  // namespace timelines
}  // namespace octavo
