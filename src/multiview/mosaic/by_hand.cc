// Pairs of images by points that a person has set. They join what has no features, such as walls and sky.

#include "multiview/mosaic/by_hand.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <map>
#include <numeric>
#include <opencv2/calib3d.hpp>
#include <optional>
#include <utility>

#include "multiview/geometry/visible_part.h"
#include "multiview/mosaic/read_images.h"
#include "octavo/error.h"

namespace octavo::mosaic {
namespace {

// The deviation [pixel] of a point that a person sets; a guess.
constexpr double deviation_by_hand = 2;
// The confidence of a person, above that of any matches; above 1 a pair is sure.
constexpr double confidence_by_hand = 1000;

std::complex<double> number_of(const cv::Point2d& p) { return {p.x, p.y}; }

// The similarity that brings the points nearest together, in normalised coordinates.
cv::Matx33d similarity_by_hand(const PairPoints& points) {
  const auto count = static_cast<double>(points.in_a.size());
  const cv::Point2d a = std::accumulate(points.in_a.begin(), points.in_a.end(), cv::Point2d()) / count,
                    b = std::accumulate(points.in_b.begin(), points.in_b.end(), cv::Point2d()) / count;
  std::complex<double> both;
  double square = 0;
  for (std::size_t i = 0; i < points.in_a.size(); ++i) {
    both += std::conj(number_of(points.in_a[i] - a)) * number_of(points.in_b[i] - b);
    square += std::norm(number_of(points.in_a[i] - a));
  }
  const std::complex<double> turn = both / square, shift = number_of(b) - turn * number_of(a);
  return {turn.real(), -turn.imag(), shift.real(), turn.imag(), turn.real(), shift.imag(), 0, 0, 1};
}

// Whether all of an image with these corners lies in front, not mirrored.
bool is_sound(const cv::Matx33d& b_from_a, const cv::Point2d& corner) {
  if (!cv::checkRange(cv::Mat(b_from_a)) || !(cv::determinant(b_from_a) > 0)) return false;
  const std::array<cv::Point2d, 4> corners{corner, -corner, {corner.x, -corner.y}, {-corner.x, corner.y}};
  return std::ranges::all_of(corners, [&](const cv::Point2d& p) { return planes::mapped(b_from_a, p).w > 0; });
}

// The best homography of normalised coordinates; none if the points do not determine a sound one.
std::optional<cv::Matx33d> homography_by_hand(const PairPoints& points, const cv::Point2d& corner) {
  if (points.in_a.size() < 4) return {};
  const cv::Mat found = cv::findHomography(points.in_a, points.in_b);
  if (found.empty()) return {};
  const cv::Matx33d b_from_a(found);
  if (!is_sound(b_from_a, corner)) return {};
  return b_from_a;
}

void require_inside(const MosaicImage& image, const std::array<double, 2>& point) {
  const auto is_inside = [](double x, int side) { return x >= -0.5 && x <= side - 0.5; };
  if (is_inside(point[0], image.size.width) && is_inside(point[1], image.size.height)) return;
  throw Error(ErrorCode::invalid_argument,
              fmt::format("the point ({:g}, {:g}) that is set by hand is not in '{}', which has {} x {} pixels",
                          point[0], point[1], image.name, image.size.width, image.size.height));
}

// A pair with all of its points.
VerifiedPair placed_by_hand(PairPoints points, const MosaicImage& a, const MosaicImage& b) {
  const auto count = points.in_a.size();
  if (count < 2) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("'{}' and '{}' have one point that is set by hand, but need two", a.name, b.name));
  }
  VerifiedPair pair;
  pair.report = {.a = points.a,
                 .b = points.b,
                 .matches = static_cast<int>(count),
                 .inliers = static_cast<int>(count),
                 .by_hand = true,
                 .confidence = confidence_by_hand,
                 .status = MosaicPairStatus::used};
  const cv::Matx33d from_a = normalised_from_pixel(a.size), from_b = normalised_from_pixel(b.size);
  const cv::Matx33d b_from_a =
      homography_by_hand(points, planes::mapped(from_a, {-0.5, -0.5}).place).value_or(similarity_by_hand(points));
  double squares = 0;
  for (std::size_t i = 0; i < count; ++i) {
    squares += std::norm(number_of(planes::mapped(b_from_a, points.in_a[i]).place - points.in_b[i]));
  }
  // Of half the diagonal: beyond what a person errs and depth displaces; a guess.
  constexpr double largest_part = 0.1;
  const double apart = std::sqrt(squares / static_cast<double>(count));
  if (!(apart <= largest_part)) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("the points of '{}' and '{}' that are set by hand contradict each other: they are {:.0f} "
                            "pixels apart where they fit best",
                            a.name, b.name, apart * half_diagonal(b.size)));
  }
  pair.b_from_a = from_b.inv() * b_from_a * from_a;
  pair.b_from_a *= 1 / pair.b_from_a(2, 2);
  pair.inliers = std::move(points);
  return pair;
}

}  // namespace

std::vector<VerifiedPair> pairs_by_hand(std::span<const MosaicPoint> points, const std::vector<MosaicImage>& images) {
  std::map<std::pair<int, int>, PairPoints> found;
  for (const MosaicPoint& point : points) {
    if (std::min(point.a, point.b) < 0 || std::max(point.a, point.b) >= std::ssize(images) || point.a == point.b) {
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("a point that is set by hand is of the images {} and {}, but there are {}", point.a,
                              point.b, images.size()));
    }
    const bool is_swapped = point.a > point.b;
    const auto [a, b] = std::minmax(point.a, point.b);
    const MosaicImage &image_a = images[static_cast<std::size_t>(a)], &image_b = images[static_cast<std::size_t>(b)];
    if (!is_wanted(image_a) || !is_wanted(image_b)) continue;
    const auto &in_a = is_swapped ? point.in_b : point.in_a, &in_b = is_swapped ? point.in_a : point.in_b;
    require_inside(image_a, in_a);
    require_inside(image_b, in_b);
    PairPoints& pair = found.try_emplace({a, b}, PairPoints{a, b, {}, {}, {}, {}}).first->second;
    pair.in_a.push_back(planes::mapped(normalised_from_pixel(image_a.size), {in_a[0], in_a[1]}).place);
    pair.in_b.push_back(planes::mapped(normalised_from_pixel(image_b.size), {in_b[0], in_b[1]}).place);
    pair.weight_in_a.push_back(usual_deviation / deviation_by_hand * cv::Matx22d::eye());
    pair.weight_in_b.push_back(pair.weight_in_a.back());
  }
  std::vector<VerifiedPair> pairs;
  for (auto& [of, pair] : found) {
    pairs.push_back(placed_by_hand(std::move(pair), images[static_cast<std::size_t>(of.first)],
                                   images[static_cast<std::size_t>(of.second)]));
  }
  return pairs;
}

void add_by_hand(std::vector<VerifiedPair>& pairs, std::vector<VerifiedPair> by_hand) {
  for (VerifiedPair& pair : by_hand) {
    const auto same = std::ranges::find_if(pairs, [&](const VerifiedPair& other) {
      return other.report.a == pair.report.a && other.report.b == pair.report.b;
    });
    if (same == pairs.end()) continue;
    if (same->report.status == MosaicPairStatus::used) {
      for (std::size_t i = 0; i < same->inliers.in_a.size(); ++i) pair.inliers.add(same->inliers, i);
      pair.report.matches += same->report.matches;
      pair.report.inliers += same->report.inliers;
      pair.b_from_a = same->b_from_a;
      pair.parallax = same->parallax;
    }
    pairs.erase(same);
  }
  add_pairs(pairs, std::move(by_hand));
}

}  // namespace octavo::mosaic
