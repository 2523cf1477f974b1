#pragma once

#include <cstdint>
#include <optional>

#include "octavo/video/video_file.h"

namespace octavo::video {

/// Chooses frames, in whole numbers: the first of every n, or the first of every interval of time. Interval k is
/// [t₀ + k/f, t₀ + (k + 1)/f), where t₀ is the time of the first frame and f the frames a second, rounded to a
/// thousandth. Where times go back, as in broadcasts that were joined, counting begins again.
class Sampling {
 public:
  /// `every` ≥ 1 takes every n-th frame, 0 takes `fps` > 0 frames a second. The time base is positive.
  Sampling(std::int64_t every, double fps, Ratio time_base);

  /// Whether the next frame is taken. Its time is in units of the time base.
  bool takes(std::int64_t ticks);

 private:
  [[nodiscard]] std::int64_t interval_of(std::int64_t ticks) const;

  std::int64_t every_, intervals_in_ticks_, ticks_in_intervals_;  // interval = ⌊ticks · the former / the latter⌋
  std::int64_t seen_ = 0;
  std::int64_t first_ = 0, before_ = 0;  // [tick]
  std::optional<std::int64_t> interval_;
};

}  // namespace octavo::video
