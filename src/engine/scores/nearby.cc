// Points in a grid whose cells are as large as the reach. All points within reach lie in the same cell or in one of its
// eight neighbours.

#include "engine/scores/nearby.h"

#include <cmath>

namespace octavo::evaluation {

double distance(Point a, Point b) {
  const double dx = a.x - b.x, dy = a.y - b.y;
  return std::sqrt(dx * dx + dy * dy);
}

Nearby::Nearby(std::span<const Point> points, double reach) : points_(points), reach_(reach) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    cells_[key(cell(points[i].x), cell(points[i].y))].push_back(static_cast<int>(i));
  }
}

std::int64_t Nearby::cell(double x) const { return static_cast<std::int64_t>(std::floor(x / reach_)); }

std::uint64_t Nearby::key(std::int64_t column, std::int64_t row) {
  return static_cast<std::uint64_t>(column) << 32 ^ (static_cast<std::uint64_t>(row) & 0xFFFFFFFF);
}

Nearest Nearby::find(Point from) const {
  Nearest nearest;
  visit(from, [&](int i, double d) {
    const bool is_nearer = nearest.index < 0 || d < nearest.distance;
    if (is_nearer || (d == nearest.distance && i < nearest.index)) nearest = {i, d};
  });
  return nearest;
}

void Nearby::visit(Point from, const std::function<void(int index, double distance)>& take) const {
  if (!std::isfinite(from.x) || !std::isfinite(from.y) || std::abs(from.x) > 1e9 || std::abs(from.y) > 1e9) return;
  for (std::int64_t row = cell(from.y) - 1; row <= cell(from.y) + 1; ++row) {
    for (std::int64_t column = cell(from.x) - 1; column <= cell(from.x) + 1; ++column) {
      const auto found = cells_.find(key(column, row));
      if (found == cells_.end()) continue;
      for (const int i : found->second) {
        const double d = distance(points_[static_cast<std::size_t>(i)], from);
        if (d <= reach_) take(i, d);
      }
    }
  }
}

}  // namespace octavo::evaluation
