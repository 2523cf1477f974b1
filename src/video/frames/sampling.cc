#include "video/frames/sampling.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace octavo::video {
namespace {

__extension__ using Wide = __int128;  // products of 64-bit numbers

}  // namespace

Sampling::Sampling(std::int64_t every, double fps, Ratio time_base) : every_(every) {
  const auto thousandths = static_cast<std::int64_t>(std::llround(fps * 1000));
  const Wide up = Wide{time_base.numerator} * thousandths, down = Wide{time_base.denominator} * 1000;
  // Both factors of a time base have 32 bits, so that the products fit.
  const std::int64_t common = std::gcd(static_cast<std::int64_t>(up), static_cast<std::int64_t>(down));
  intervals_in_ticks_ = static_cast<std::int64_t>(up) / common;
  ticks_in_intervals_ = static_cast<std::int64_t>(down) / common;
}

std::int64_t Sampling::interval_of(std::int64_t ticks) const {
  const Wide interval = (Wide{ticks} - first_) * intervals_in_ticks_ / ticks_in_intervals_;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return interval > most ? most : static_cast<std::int64_t>(interval);
}

bool Sampling::takes(std::int64_t ticks) {
  if (every_ > 0) return seen_++ % every_ == 0;
  if (!interval_ || ticks < before_) {
    first_ = ticks;
    interval_.reset();
  }
  before_ = ticks;
  const std::int64_t interval = interval_of(ticks);
  if (interval_ && interval <= *interval_) return false;
  interval_ = interval;
  return true;
}

}  // namespace octavo::video
