// Pairs of neighbours: by similarity, by name, and by place. The chord between two places is shorter than the way on
// the ground by 1 mm at 30 km.

#include "octavo/multiview/choose_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

#include "io/images/earth_point.h"
#include "multiview/pairs/natural_order.h"

namespace octavo {
namespace {

using Point3 = std::array<double, 3>;

// On the ellipsoid: altitudes are known badly.
Point3 ground_of(const GpsPlace& place) { return earth_point({place.latitude, place.longitude}); }

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
  SiftOptions sift = preset("signature");
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

double distance_of(const GpsPlace& a, const GpsPlace& b) { return distance(ground_of(a), ground_of(b)); }

std::vector<ImagePair> pairs_by_place(std::span<const std::optional<GpsPlace>> places, std::size_t neighbours,
                                      double metres) {
  std::vector<std::optional<Point3>> points;
  for (const auto& place : places) points.push_back(place ? std::optional(ground_of(*place)) : std::nullopt);
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
  for (const auto& [i, j] : pairs) text += pair_line(names[i], names[j], NamesInList::quoted);
  return text;
}

}  // namespace octavo
