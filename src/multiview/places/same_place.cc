#include "multiview/places/same_place.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <set>
#include <tuple>
#include <utility>

#include "multiview/places/frame_share.h"
#include "octavo/multiview/align.h"
#include "octavo/multiview/geometry.h"

namespace octavo::places {
namespace {

// Of Brown and Lowe: a right model of n matches has more inliers than this.
double needed(std::size_t n) { return 8 + 0.3 * static_cast<double>(n); }

constexpr double farthest_share = 0.2;  // of the inliers, which may be wrong ones: they do not count for the spread
// [shorter side] the standard deviation across the inliers: a strip of a tenth of the frame has 0.03, a logo, a line of
// text and a banner have less.
constexpr double least_spread = 0.03;

// Of what both frames show: less is a thing that stands in two places, such as an actor, a car or a poster. Of the
// frames of one place in docs/places.md one in thirty agrees about less.
constexpr double least_overlap = 0.2;

// Keypoints of several orientations make several matches between the same places; one of them counts.
std::vector<Match> distinct_matches(const SeenFrame& a, const SeenFrame& b, const std::vector<Match>& matches) {
  std::vector<Match> kept;
  std::set<std::tuple<float, float, float, float>> known;
  for (const Match& match : matches) {
    const Keypoint& p = a.features.keypoints[static_cast<std::size_t>(match.a)];
    const Keypoint& q = b.features.keypoints[static_cast<std::size_t>(match.b)];
    if (known.emplace(p.x, p.y, q.x, q.y).second) kept.push_back(match);
  }
  return kept;
}

double middle_of(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// The standard deviations of points along their axes.
struct Extent {
  double length = 0, width = 0;  // [pixel]
};

// Without the points farthest from their middle.
Extent extent_of(std::vector<Point> points) {
  std::vector<double> xs, ys;
  for (const Point& point : points) xs.push_back(point.x), ys.push_back(point.y);
  const double x = middle_of(std::move(xs)), y = middle_of(std::move(ys));
  std::ranges::sort(points, {}, [&](const Point& p) { return std::hypot(p.x - x, p.y - y); });
  points.resize(points.size() - static_cast<std::size_t>(farthest_share * static_cast<double>(points.size())));
  const auto n = static_cast<double>(points.size());
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0, yy = 0;
  for (const Point& p : points) mean_x += p.x / n, mean_y += p.y / n;
  for (const Point& p : points) {
    xx += (p.x - mean_x) * (p.x - mean_x) / n;
    xy += (p.x - mean_x) * (p.y - mean_y) / n;
    yy += (p.y - mean_y) * (p.y - mean_y) / n;
  }
  const double half = std::hypot((xx - yy) / 2, xy);
  return {std::sqrt((xx + yy) / 2 + half), std::sqrt(std::max(0.0, (xx + yy) / 2 - half))};
}

// How much of what both frames show agrees: the area of the inliers of `a` by that of its keypoints that lie in `b`, if
// a similarity brings the inliers together.
double share_of_overlap(const std::vector<Point>& in_a, const std::vector<Point>& in_b, const SeenFrame& a,
                        const SeenFrame& b) {
  using Complex = std::complex<double>;
  const auto n = static_cast<double>(in_a.size());
  Complex mean_a, mean_b, product;
  double squares = 0;
  for (std::size_t i = 0; i < in_a.size(); ++i) {
    mean_a += Complex(in_a[i].x, in_a[i].y) / n, mean_b += Complex(in_b[i].x, in_b[i].y) / n;
  }
  for (std::size_t i = 0; i < in_a.size(); ++i) {
    const Complex from = Complex(in_a[i].x, in_a[i].y) - mean_a;
    product += std::conj(from) * (Complex(in_b[i].x, in_b[i].y) - mean_b);
    squares += std::norm(from);
  }
  std::vector<Point> seen;
  for (const Keypoint& keypoint : a.features.keypoints) {
    const Complex there = mean_b + product / squares * (Complex(keypoint.x, keypoint.y) - mean_a);
    const bool is_inside =
        there.real() >= 0 && there.imag() >= 0 && there.real() < b.size.width && there.imag() < b.size.height;
    if (is_inside) seen.push_back({keypoint.x, keypoint.y});
  }
  if (seen.empty()) return 0;
  const Extent agreeing = extent_of(in_a), all = extent_of(std::move(seen));
  return agreeing.length * agreeing.width / (all.length * all.width);
}

bool is_spread(std::vector<Point> points, const ImageSize& size) {
  return extent_of(std::move(points)).width >= least_spread * std::min(size.width, size.height);
}

bool shows_middle(const SeenFrame& frame) {
  constexpr double least = 0.05;  // of the keypoints
  const auto inner = std::ranges::count_if(
      frame.features.keypoints, [&](const Keypoint& keypoint) { return is_inner(share_of(keypoint, frame.size)); });
  return static_cast<double>(inner) >= least * static_cast<double>(frame.features.size());
}

// Whether the matches can be of overlays alone that are moved or scaled a little, as those of a broadcast that is shown
// between other bars: they lie around the middle of both frames, near the same places. Of frames that are so alike the
// middle would match too, if it shows anything.
bool may_be_overlays(const PointPairs& pairs, const SeenFrame& a, const SeenFrame& b) {
  constexpr double near = 0.15;       // [side of the frame]
  constexpr double of_middle = 0.05;  // of the matches; the middle is a quarter of the frame
  std::size_t inner = 0;
  std::vector<double> shifts;
  for (std::size_t i = 0; i < pairs.a.size(); ++i) {
    const Share in_a = share_of(pairs.a[i], a.size), in_b = share_of(pairs.b[i], b.size);
    inner += is_inner(in_a) || is_inner(in_b) ? 1 : 0;
    shifts.push_back(std::max(std::abs(in_a.x - in_b.x), std::abs(in_a.y - in_b.y)));
  }
  return static_cast<double>(inner) < of_middle * static_cast<double>(pairs.a.size()) &&
         middle_of(std::move(shifts)) <= near && shows_middle(a) && shows_middle(b);
}

std::vector<Match> inliers_of(const std::vector<Match>& matches, const RobustModel& model) {
  std::vector<Match> inliers;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    if (model.inliers[i] != 0) inliers.push_back(matches[i]);
  }
  return inliers;
}

bool is_good_plane(const RobustModel& homography, const PointPairs& pairs, const SeenFrame& a, const SeenFrame& b) {
  const auto is_doubt = [](const AlignmentWarning& warning) {
    return warning.kind != AlignmentWarning::Kind::parallax;
  };
  return homography.found && std::ranges::none_of(warnings_of(homography, pairs, a.size, b.size), is_doubt);
}

}  // namespace

PlaceEvidence same_place(const SeenFrame& a, const SeenFrame& b, const std::vector<Match>& all) {
  const std::vector<Match> matches = distinct_matches(a, b, without_overlays(a, b, all));
  PlaceEvidence evidence{.inliers = {}, .matches = matches.size()};
  const double least = needed(matches.size());
  if (static_cast<double>(matches.size()) <= least) return evidence;
  const PointPairs pairs = point_pairs(a.features, b.features, matches);
  const RobustModel fundamental = estimate_fundamental(pairs.a, pairs.b);
  if (fundamental.found && !fundamental.is_plane_alone && fundamental.inlier_count > least) {
    evidence.inliers = inliers_of(matches, fundamental);
  } else {
    const RobustModel homography = estimate_homography(pairs.a, pairs.b);
    if (!is_good_plane(homography, pairs, a, b)) return evidence;
    evidence.is_plane = true;
    evidence.inliers = inliers_of(matches, homography);
  }
  const PointPairs agreeing = point_pairs(a.features, b.features, evidence.inliers);
  const bool is_of_place =
      is_spread(agreeing.a, a.size) && is_spread(agreeing.b, b.size) && !may_be_overlays(agreeing, a, b);
  const double share =
      std::min(share_of_overlap(agreeing.a, agreeing.b, a, b), share_of_overlap(agreeing.b, agreeing.a, b, a));
  evidence.is_same = is_of_place && share >= least_overlap;
  evidence.is_sure =
      evidence.is_same && share >= 2 * least_overlap && static_cast<double>(evidence.inliers.size()) > 2 * least;
  return evidence;
}

}  // namespace octavo::places
