#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/core/internal_api.h"
#include "octavo/matcher.h"

namespace octavo {
namespace OCTAVO_INTERNAL_API evaluation {

/// The Euclidean distance: the root of the sum of the squares. Each operation is rounded, as in NumPy.
double distance(Point a, Point b);

struct Nearest {
  int index = -1;  ///< −1: none
  double distance = 0;
};

/// Finds the nearest of a set of points within a given reach.
class Nearby {
 public:
  /// `points` must outlive it. `reach` > 0 [pixel].
  Nearby(std::span<const Point> points, double reach);
  /// The nearest point within reach. Of equally near points the first is returned.
  [[nodiscard]] Nearest find(Point from) const;
  /// Calls `take` with the index and distance of every point within reach.
  void visit(Point from, const std::function<void(int index, double distance)>& take) const;

 private:
  [[nodiscard]] std::int64_t cell(double x) const;
  static std::uint64_t key(std::int64_t column, std::int64_t row);

  std::span<const Point> points_;
  double reach_;
  std::unordered_map<std::uint64_t, std::vector<int>> cells_;  ///< squares of the reach's size
};

}  // namespace evaluation
}  // namespace octavo
