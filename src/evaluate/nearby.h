#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "octavo/geometry.h"

namespace octavo::evaluation {

/// The root of the sum of the squares, each operation rounded: what NumPy computes.
double distance(Point a, Point b);

struct Nearest {
  int index = -1;  ///< −1: none
  double distance = 0;
};

/// The nearest of a set of points, as long as it is not too far.
class Nearby {
 public:
  /// `points` must outlive it. `reach` > 0 [pixel].
  Nearby(std::span<const Point> points, double reach);
  /// The nearest point within reach, the first among equals.
  [[nodiscard]] Nearest find(Point from) const;

 private:
  [[nodiscard]] std::int64_t cell(double x) const;
  static std::uint64_t key(std::int64_t column, std::int64_t row);

  std::span<const Point> points_;
  double reach_;
  std::unordered_map<std::uint64_t, std::vector<int>> cells_;  ///< squares of the reach's size
};

}  // namespace octavo::evaluation
