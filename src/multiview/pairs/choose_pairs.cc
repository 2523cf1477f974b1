// Pairs of neighbours: by similarity, by name, and by place. A place on the ellipsoid of WGS 84 (semi-major axis a,
// eccentricity e) with latitude φ and longitude λ has the Cartesian coordinates
//
//     N = a / √(1 − e² sin² φ)    (N cos φ cos λ, N cos φ sin λ, N (1 − e²) sin φ)
//
// and the chord between two such points is shorter than the way on the ground by 1 mm at 30 km.

#include "octavo/multiview/choose_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string_view>
#include <utility>

#include "multiview/pairs/natural_order.h"

namespace octavo {
namespace {

using Point3 = std::array<double, 3>;

Point3 point_of(const GpsPlace& place) {
  constexpr double a = 6378137, e2 = 6.69437999014e-3, degree = std::numbers::pi / 180;
  const double phi = place.latitude * degree, lambda = place.longitude * degree;
  const double n = a / std::sqrt(1 - e2 * std::sin(phi) * std::sin(phi));
  return {n * std::cos(phi) * std::cos(lambda), n * std::cos(phi) * std::sin(lambda), n * (1 - e2) * std::sin(phi)};
}

double distance(const Point3& a, const Point3& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

// Each pair once, in order.
std::vector<ImagePair> in_order(std::vector<ImagePair> pairs) {
  for (auto& [i, j] : pairs) {
    if (j < i) std::swap(i, j);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace

// An image of a usual collection has thousands of features. The strongest few hundred, spread over it, tell as much
// (docs/sfm.md).
DetectorOptions retrieval_detector() {
  SiftOptions sift;
  sift.max_features = 512;
  sift.grid = 4;
  return sift;
}

std::vector<ImagePair> pairs_of_similar(std::span<const std::vector<SimilarImage>> similar) {
  std::vector<ImagePair> pairs;
  for (std::size_t i = 0; i < similar.size(); ++i) {
    for (const SimilarImage& other : similar[i]) pairs.emplace_back(i, other.image);
  }
  return in_order(std::move(pairs));
}

std::vector<ImagePair> pairs_by_name(std::span<const std::string> names, std::size_t overlap, bool quadratic) {
  std::vector<std::size_t> sorted(names.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::ranges::stable_sort(sorted, is_naturally_before, [&](std::size_t i) { return std::string_view(names[i]); });
  std::vector<ImagePair> pairs = sequential_pairs(names.size(), overlap, quadratic);
  for (auto& [i, j] : pairs) i = sorted[i], j = sorted[j];
  return in_order(std::move(pairs));
}

double distance_of(const GpsPlace& a, const GpsPlace& b) { return distance(point_of(a), point_of(b)); }

std::vector<ImagePair> pairs_by_place(std::span<const std::optional<GpsPlace>> places, std::size_t neighbours,
                                      double metres) {
  std::vector<std::optional<Point3>> points;
  for (const auto& place : places) points.push_back(place ? std::optional(point_of(*place)) : std::nullopt);
  std::vector<ImagePair> pairs;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i]) continue;
    std::vector<std::pair<double, std::size_t>> near;
    for (std::size_t j = 0; j < points.size(); ++j) {
      if (j == i || !points[j]) continue;
      const double apart = distance(*points[i], *points[j]);
      if (apart <= metres) near.emplace_back(apart, j);
    }
    const auto end = near.begin() + static_cast<std::ptrdiff_t>(std::min(neighbours, near.size()));
    std::partial_sort(near.begin(), end, near.end());
    for (auto one = near.begin(); one != end; ++one) pairs.emplace_back(i, one->second);
  }
  return in_order(std::move(pairs));
}

std::string pair_list(std::span<const std::string> names, std::span<const ImagePair> pairs) {
  std::string text;
  for (const auto& [i, j] : pairs) text += pair_line(names[i], names[j]);
  return text;
}

}  // namespace octavo
