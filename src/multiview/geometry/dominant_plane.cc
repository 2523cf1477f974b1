#include "multiview/geometry/dominant_plane.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <opencv2/core.hpp>
#include <random>
#include <utility>
#include <vector>

#include "multiview/geometry/support.h"

namespace octavo {

namespace {

// A pair off the plane, in coordinates of b that are moved and scaled to about ±1: b, and where the plane would put a.
struct OffPair {
  cv::Vec3d moved, b;

  // The line through both, on which the epipole lies.
  [[nodiscard]] cv::Vec3d line() const { return moved.cross(b); }
  // The distance of b from the line through the epipole and where the plane would put a.
  [[nodiscard]] double error(const cv::Vec3d& epipole) const {
    const cv::Vec3d epipolar = epipole.cross(moved);
    return std::abs(epipolar.dot(b)) / std::max(std::hypot(epipolar[0], epipolar[1]), 1e-12);
  }
};

class PlaneAndParallax {
 public:
  PlaneAndParallax(std::span<const Point> a, std::span<const Point> b, const cv::Matx33d& plane, double threshold) {
    const auto [left, right] = std::ranges::minmax(b, {}, &Point::x);
    const auto [top, bottom] = std::ranges::minmax(b, {}, &Point::y);
    const double width = std::max(right.x - left.x, 1.0), height = std::max(bottom.y - top.y, 1.0);
    scale_ = 2 / std::max(width, height);
    threshold_ = threshold * scale_;
    // The share of the places of b that lie within the threshold of a line.
    chance_ = std::min(1.0, 2 * threshold * std::hypot(width, height) / (width * height));
    to_unit_ =
        cv::Matx33d(scale_, 0, -scale_ * (left.x + right.x) / 2, 0, scale_, -scale_ * (top.y + bottom.y) / 2, 0, 0, 1);
    plane_ = to_unit_ * plane;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const cv::Vec3d q = plane_ * cv::Vec3d(a[i].x, a[i].y, 1);
      const OffPair pair{q * (1 / q[2]), to_unit_ * cv::Vec3d(b[i].x, b[i].y, 1)};
      // Noise of the plane points nowhere.
      if (cv::norm(pair.moved - pair.b) > 2 * threshold_) off_.push_back(pair);
    }
  }

  // Finds the epipole of most of the pairs off the plane. Returns false if no more agree than chance gives.
  bool find_epipole() {
    if (off_.size() < 2) return false;
    for (const auto& [i, j] : samples()) try_epipole(off_[i].line().cross(off_[j].line()));
    for (int round = 0; round < 5; ++round) try_epipole(fitted());
    const auto agreeing = static_cast<int>(
        std::ranges::count_if(off_, [&](const OffPair& pair) { return pair.error(epipole_) <= threshold_; }));
    return agreeing > 2 && supports_model(static_cast<int>(off_.size()), agreeing, 2, chance_);
  }

  [[nodiscard]] std::array<double, 9> fundamental() const {
    const cv::Vec3d& e = epipole_;
    const cv::Matx33d cross(0, -e[2], e[1], e[2], 0, -e[0], -e[1], e[0], 0);
    const cv::Matx33d f = to_unit_.t() * cross * plane_;
    std::array<double, 9> matrix{};
    std::copy_n(f.val, 9, matrix.begin());
    return matrix;
  }

 private:
  // All pairs of pairs, or of many a part drawn with a fixed seed. Each is tried on all pairs, a million times
  // together.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> samples() const {
    const std::size_t most = std::clamp<std::size_t>(1'000'000 / off_.size(), 500, 5000);
    std::vector<std::pair<std::size_t, std::size_t>> all;
    if (off_.size() * (off_.size() - 1) / 2 <= most) {
      for (std::size_t i = 0; i < off_.size(); ++i) {
        for (std::size_t j = i + 1; j < off_.size(); ++j) all.emplace_back(i, j);
      }
      return all;
    }
    std::mt19937 random(1);
    while (all.size() < most) {
      const std::size_t i = random() % off_.size(), j = random() % off_.size();
      if (i != j) all.emplace_back(i, j);
    }
    return all;
  }

  void try_epipole(const cv::Vec3d& epipole) {
    const double length = cv::norm(epipole);
    if (!(length > 1e-12)) return;
    const cv::Vec3d unit = epipole * (1 / length);
    double score = 0;
    for (const OffPair& pair : off_) score += std::max(0.0, 1 - std::pow(pair.error(unit) / threshold_, 2));
    if (score <= score_) return;
    score_ = score;
    epipole_ = unit;
  }

  // The epipole of least squared errors of the pairs that agree with the one so far, whose distances are its weights.
  [[nodiscard]] cv::Vec3d fitted() const {
    cv::Matx33d normal = cv::Matx33d::zeros();
    for (const OffPair& pair : off_) {
      if (pair.error(epipole_) > threshold_) continue;
      const cv::Vec3d epipolar = epipole_.cross(pair.moved), line = pair.line();
      normal += line * line.t() * (1 / std::max(epipolar[0] * epipolar[0] + epipolar[1] * epipolar[1], 1e-12));
    }
    cv::Matx31d values;
    cv::Matx33d vectors;
    cv::eigen(normal, values, vectors);
    return {vectors(2, 0), vectors(2, 1), vectors(2, 2)};
  }

  double scale_ = 1, threshold_ = 0, chance_ = 1, score_ = 0;
  cv::Matx33d to_unit_, plane_;
  std::vector<OffPair> off_;
  cv::Vec3d epipole_{0, 0, 1};
};

}  // namespace

DominantPlane dominant_plane_of(std::span<const Point> a, std::span<const Point> b,
                                const std::array<double, 9>& fundamental, std::span<const std::uint8_t> inliers,
                                const RobustOptions& options) {
  DominantPlane result{.fundamental = fundamental};
  std::vector<Point> in_a, in_b;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (inliers[i] == 0) continue;
    in_a.push_back(a[i]);
    in_b.push_back(b[i]);
  }
  const RobustModel plane = estimate_homography(in_a, in_b, options);
  result.is_there = plane.found && 2 * static_cast<std::size_t>(plane.inlier_count) > in_a.size();
  if (!result.is_there) return result;
  PlaneAndParallax scene(a, b, cv::Matx33d(plane.b_from_a.data()), options.threshold);
  result.is_alone = !scene.find_epipole();
  if (!result.is_alone) result.fundamental = scene.fundamental();
  return result;
}

}  // namespace octavo
