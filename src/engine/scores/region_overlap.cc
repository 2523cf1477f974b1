// How well the regions of keypoints cover each other, as K. Mikolajczyk et al. define it ("A comparison of affine
// region detectors", IJCV 65, 2005, section 4.1). The region of a keypoint is its ellipse A·u, |u| ≤ 1, about its
// place, or its circle of radius σ. The homography, linearised at the place of B's keypoint, maps the region of B into
// A. Large regions would overlap more than small ones at the same distance. Both regions are therefore enlarged, each
// about its own centre, by the factor that gives A's the area of a circle of radius 30 pixels. A factor between σ and
// the radius of a region would cancel here. The overlap error is 1 − intersection / union.
//
// Pairs correspond one to one, those of least error first. Only pairs whose error can be at most e = 0.6 are compared:
//   - The error is at least 1 − the smaller area over the larger.
//   - At e = 0.6 the intersection is at least 0.4 of either region. A part of a disc that has 0.4 of its area has its
//     centroid at most 0.511 radii from the disc's centre: a segment cut off by a line has it farthest out. An affine
//     map says the same of ellipses. So the centres are at most 0.511 times the sum of the longest radii apart.

#include "engine/scores/region_overlap.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <tuple>
#include <vector>

#include "engine/scores/ellipse.h"
#include "engine/scores/nearby.h"

namespace octavo::evaluation {
namespace {

constexpr double usual_radius = 30;    // [pixel] of A's region when it is compared
constexpr double least_share = 0.4;    // intersection over union at the largest threshold
constexpr double most_offset = 0.511;  // radii between the centre of a disc and the centroid of 0.4 of its area

struct Region {
  Ellipse ellipse;
  double radius = 0;   // of the circle of its area [pixel]
  double longest = 0;  // half of the longest diameter [pixel]
};

Region region_of(const Ellipse& ellipse) {
  return {ellipse, std::sqrt(area(ellipse) / std::numbers::pi), longest_radius(ellipse)};
}

// A region of B in A: the homography is replaced by its tangent at the centre.
Ellipse mapped(const std::array<double, 9>& m, const Ellipse& ellipse) {
  const Point from = ellipse.centre, to = project(m, from);
  const double w = m[6] * from.x + m[7] * from.y + m[8];
  const double xx = (m[0] - to.x * m[6]) / w, xy = (m[1] - to.x * m[7]) / w;
  const double yx = (m[3] - to.y * m[6]) / w, yy = (m[4] - to.y * m[7]) / w;
  const auto& a = ellipse.matrix;
  return {to, {xx * a[0] + xy * a[2], xx * a[1] + xy * a[3], yx * a[0] + yy * a[2], yx * a[1] + yy * a[3]}};
}

// The keypoints in common with a region, each place and scale once: orientations do not differ in it.
std::vector<Ellipse> distinct_ellipses(const std::vector<Placed>& placed, const Features& features) {
  std::set<std::tuple<float, float, float>> seen;
  std::vector<Ellipse> found;
  for (const Placed& one : placed) {
    const Keypoint& k = features.keypoints[static_cast<std::size_t>(one.keypoint)];
    const Ellipse ellipse{{k.x, k.y}, affine_matrix(k)};
    if (area(ellipse) > 0 && seen.emplace(k.x, k.y, k.scale).second) found.push_back(ellipse);
  }
  return found;
}

std::vector<Region> regions_of(const std::vector<Ellipse>& ellipses) {
  std::vector<Region> regions;
  std::transform(ellipses.begin(), ellipses.end(), std::back_inserter(regions), region_of);
  return regions;
}

// The error of a region b, mapped into A, against the reference a.
double overlap_error(const Region& a, const Region& b) {
  const double factor = usual_radius / a.radius;
  Ellipse one = a.ellipse, other = b.ellipse;
  for (double& element : one.matrix) element *= factor;
  for (double& element : other.matrix) element *= factor;
  const double both = common_area(one, other);
  return 1 - both / (area(one) + area(other) - both);
}

struct Pair {
  double error;
  int a, b;
  friend auto operator<=>(const Pair&, const Pair&) = default;
};

double longest_over_radius(const std::vector<Region>& regions) {
  double most = 1;
  for (const Region& region : regions) most = std::max(most, region.longest / region.radius);
  return most;
}

// All pairs whose error is at most the largest threshold.
std::vector<Pair> overlapping(const std::vector<Region>& a, const std::vector<Region>& b) {
  const double reach =
      most_offset * usual_radius * (longest_over_radius(a) + longest_over_radius(b) / std::sqrt(least_share));
  std::vector<Point> places;
  for (const Region& region : b) places.push_back(region.ellipse.centre);
  const Nearby near(places, reach);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double factor = usual_radius / a[i].radius;
    near.visit(a[i].ellipse.centre, [&](int j, double distance) {
      const Region& other = b[static_cast<std::size_t>(j)];
      const double ratio = other.radius / a[i].radius, share = ratio * ratio;
      if (std::min(share, 1 / share) < least_share) return;
      if (distance > most_offset * factor * (a[i].longest + other.longest)) return;
      const double error = overlap_error(a[i], other);
      if (error <= overlap_errors.back()) pairs.push_back({error, static_cast<int>(i), j});
    });
  }
  return pairs;
}

}  // namespace

RegionCounts count_regions(const Common& common, const Features& a, const Features& b,
                           const std::array<double, 9>& b_from_a) {
  const std::array<double, 9> a_from_b = inverse(b_from_a);
  std::vector<Ellipse> ellipses_b = distinct_ellipses(common.b, b);
  for (Ellipse& ellipse : ellipses_b) ellipse = mapped(a_from_b, ellipse);
  const std::vector<Region> regions_a = regions_of(distinct_ellipses(common.a, a)), regions_b = regions_of(ellipses_b);
  std::vector<Pair> pairs = overlapping(regions_a, regions_b);
  std::sort(pairs.begin(), pairs.end());

  RegionCounts counts{.a = static_cast<int>(regions_a.size()), .b = static_cast<int>(regions_b.size())};
  std::vector<bool> has_a(regions_a.size()), has_b(regions_b.size());
  for (const Pair& pair : pairs) {
    const auto i = static_cast<std::size_t>(pair.a), j = static_cast<std::size_t>(pair.b);
    if (has_a[i] || has_b[j]) continue;
    has_a[i] = has_b[j] = true;
    for (std::size_t t = 0; t < overlap_errors.size(); ++t) {
      counts.corresponding[t] += pair.error <= overlap_errors[t] ? 1 : 0;
    }
  }
  return counts;
}

}  // namespace octavo::evaluation
