#include "jobs/figures_text.h"

#include <fmt/core.h>

#include <array>
#include <cmath>

namespace octavo {

std::string count_text(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string bytes_text(double bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  for (; bytes >= 999.95 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, units[unit]);
}

std::string rows_text(std::string_view title, std::span<const double> numbers) {
  std::string text;
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3) {
    text += fmt::format("{:18}  {:14.8g} {:14.8g} {:14.8g}\n", i == 0 ? title : "", numbers[i], numbers[i + 1],
                        numbers[i + 2]);
  }
  return text;
}

}  // namespace octavo
