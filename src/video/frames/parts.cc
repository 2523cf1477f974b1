#include "video/frames/parts.h"

#include <algorithm>

namespace octavo::video {

std::vector<Part> merged(std::vector<Part> parts, double apart) {
  std::ranges::sort(parts, {}, &Part::from);
  std::vector<Part> result;
  for (const Part& part : parts) {
    if (!result.empty() && part.from <= result.back().to + apart) {
      result.back().to = std::max(result.back().to, part.to);
    } else {
      result.push_back(part);
    }
  }
  return result;
}

PartChoice::PartChoice(const std::vector<Part>& parts, Ratio time_base)
    : seconds_(parts),
      ticks_a_second_(static_cast<double>(time_base.denominator) / static_cast<double>(time_base.numerator)),
      parts_(parts.size()) {}

PartChoice::Taken PartChoice::take(std::int64_t ticks) {
  if (!last_) {
    constexpr double most = 4e18;  // [tick]
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const auto after_first = [&](double seconds) {
        const double later = std::clamp(seconds * ticks_a_second_ + static_cast<double>(ticks), -most, most);
        return static_cast<std::int64_t>(later);
      };
      // A tick more on either side, so that rounding leaves nothing out.
      parts_[i] = {after_first(seconds_[i].from) - 1, after_first(seconds_[i].to) + 1};
    }
    last_ = ticks;
    is_last_taken_ = true;
    while (!is_done() && ticks > parts_[part_].to) ++part_;
    return {false, true};
  }
  Taken taken;
  if (!is_done() && ticks >= parts_[part_].from) {
    taken = {!is_last_taken_, true};
    while (!is_done() && ticks > parts_[part_].to) ++part_;
  }
  last_ = ticks;
  is_last_taken_ = taken.this_one;
  return taken;
}

std::optional<std::int64_t> PartChoice::far_begin() const {
  if (is_done() || !last_) return std::nullopt;
  const std::int64_t begin = parts_[part_].from;
  if (static_cast<double>(begin) - static_cast<double>(*last_) < far_apart * ticks_a_second_) return std::nullopt;
  return begin;
}

}  // namespace octavo::video
