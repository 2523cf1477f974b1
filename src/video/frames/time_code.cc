// Labels and frames. With b frames a second and d labels dropped in each minute but every tenth, minute M begins at the
// frame 60·b·M − d·(M − ⌊M/10⌋).

#include "video/frames/time_code.h"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <cmath>

namespace octavo {
namespace {

constexpr std::string_view zero = "00:00:00:00";

// The four numbers of a label; none if it is none.
std::optional<std::array<std::int64_t, 4>> numbers_in(std::string_view label) {
  std::array<std::int64_t, 4> numbers{};
  if (label.size() < zero.size() || label.size() > zero.size() + 1) return {};  // three digits of more than 100 frames
  const char* at = label.data();
  const char* const end = at + label.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto [next, problem] = std::from_chars(at, end, numbers[i]);
    if (problem != std::errc() || numbers[i] < 0 || (i < 3 && next != at + 2)) return {};
    if (i == 3) return next == end ? std::optional(numbers) : std::nullopt;
    if (next == end || (*next != ':' && (i < 2 || (*next != ';' && *next != '.')))) return {};
    at = next + 1;
  }
  return {};
}

// Whether a rate is 1000/1001 of a multiple of 30: labels that are dropped make up for it (SMPTE ST 12-1).
bool falls_behind(double per_second, std::int64_t base) {
  return base % 30 == 0 && std::abs(per_second - static_cast<double>(base) * 1000 / 1001) < 1e-3;
}

}  // namespace

std::int64_t TimeCode::frames_of_day() const { return 86400 * base_ - dropped_ * 9 * 144; }

std::optional<TimeCode> TimeCode::of(std::string_view first, Ratio rate) {
  const double per_second = static_cast<double>(rate.numerator) / static_cast<double>(rate.denominator);
  if (!(per_second >= 0.5 && per_second <= 1000)) return {};
  if (first.empty()) first = zero;
  const auto numbers = numbers_in(first);
  if (!numbers) return {};
  const std::int64_t base = std::llround(per_second);
  const bool drops = first.find_first_of(";.") != std::string_view::npos;
  if (drops && !falls_behind(per_second, base)) return {};
  TimeCode code(base, drops ? base / 15 : 0);
  const auto [hours, minutes, seconds, frames] = *numbers;
  if (hours > 23 || minutes > 59 || seconds > 59 || frames >= base) return {};
  const bool is_dropped = seconds == 0 && frames < code.dropped_ && minutes % 10 != 0;
  if (is_dropped) return {};
  const std::int64_t minute = 60 * hours + minutes;
  code.first_ = (60 * minute + seconds) * base + frames - code.dropped_ * (minute - minute / 10);
  return code;
}

std::string TimeCode::label(std::int64_t frame) const {
  const std::int64_t day = frames_of_day();
  std::int64_t n = ((first_ + frame) % day + day) % day;
  if (dropped_ > 0) {
    const std::int64_t ten_minutes = 600 * base_ - 9 * dropped_, in_ten = n % ten_minutes;
    // The first of ten minutes has all labels.
    const std::int64_t short_minutes = in_ten < 60 * base_ ? 0 : 1 + (in_ten - 60 * base_) / (60 * base_ - dropped_);
    n += dropped_ * (9 * (n / ten_minutes) + short_minutes);
  }
  const std::int64_t seconds = n / base_;
  return fmt::format("{:02}:{:02}:{:02}{}{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60, drops() ? ';' : ':',
                     n % base_);
}

}  // namespace octavo
