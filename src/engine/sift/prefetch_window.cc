#include "engine/sift/prefetch_window.h"

#include <algorithm>

namespace octavo {
namespace {

// Fetches a rectangle around a pixel, and one more pixel to each side, into the second-level cache: the first holds the
// window that is being worked on.
void prefetch(const Plane& level, int row, int column, int reach_x, int reach_y) {
  constexpr int line = 16;  // floats
  const int x_begin = std::max(column - reach_x - 1, 0) / line * line;
  const int x_end = std::min(column + reach_x + 2, level.width());
  const int y_end = std::min(row + reach_y + 2, level.height());
  for (int y = std::max(row - reach_y - 1, 0); y < y_end; ++y) {
    for (int x = x_begin; x < x_end; x += line) __builtin_prefetch(level.row(y) + x, 0, 2);
  }
  // GCC 12 takes a function that does nothing but prefetch for one without effect, and removes it.
  asm volatile("" : : : "memory");
}

}  // namespace

void prefetch_window(const Plane& level, const Extremum& e, int radius) {
  prefetch(level, e.row, e.column, radius, radius);
}

void prefetch_window(const Plane& level, const WindowFrame& window) {
  prefetch(level, window.row, window.column, window.reach_x * window.step, window.reach_y * window.step);
}

}  // namespace octavo
