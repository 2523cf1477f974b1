#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/internal_api.h"
#include "octavo/video/video_file.h"

namespace OCTAVO_INTERNAL_API octavo {

/// The time codes of a clip (SMPTE ST 12-1): each frame has a label HH:MM:SS:FF, which counts as many frames a second
/// as the rate, rounded. At 29.97 and 59.94 frames a second the labels fall behind the clock; where they drop frames,
/// which HH:MM:SS;FF tells, the first two (of 60 four) labels of each minute but every tenth are left out.
class TimeCode {
 public:
  /// `first` is the label of the first frame, with ':', or ';' or '.' before the frames of a code that drops; empty:
  /// 00:00:00:00. None if it is no label at this rate, which must be above 0 and at most 1000.
  static std::optional<TimeCode> of(std::string_view first, Ratio rate);

  /// The label of the n-th frame from the first one on; after 24 hours labels begin at 0 again.
  [[nodiscard]] std::string label(std::int64_t frame) const;
  /// The number of frames from label 0 to the first frame.
  [[nodiscard]] std::int64_t first() const { return first_; }
  [[nodiscard]] bool drops() const { return dropped_ > 0; }

 private:
  TimeCode(std::int64_t base, std::int64_t dropped) : base_(base), dropped_(dropped) {}
  [[nodiscard]] std::int64_t frames_of_day() const;

  std::int64_t base_;     // frames of a second of labels
  std::int64_t dropped_;  // labels that most minutes lack
  std::int64_t first_ = 0;
};

}  // namespace octavo
