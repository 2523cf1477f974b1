#include "multiview/geometry/inlier_share.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <opencv2/imgproc.hpp>
#include <set>
#include <utility>
#include <vector>

#include "multiview/geometry/visible_part.h"

namespace octavo::planes {
namespace {

// The places of an image: cells with at least four keypoints that the other image shows too. Where keypoints are rare,
// cells are so large that they have four in the mean.
class Places {
 public:
  // `other_from_image` is oriented.
  Places(const Keypoints& image, const cv::Matx33d& other_from_image, ImageSize other) {
    std::vector<cv::Point2f> shown;
    for (const Keypoint& k : image.features.keypoints) {
      const auto [at, w] = mapped(other_from_image, {k.x, k.y});
      const bool is_inside = at.x >= -0.5 && at.y >= -0.5 && at.x < other.width - 0.5 && at.y < other.height - 0.5;
      if (w > 0 && is_inside) shown.emplace_back(k.x, k.y);
    }
    if (shown.empty()) return;
    const double area = cv::boundingRect(shown).area() / static_cast<double>(shown.size());
    cell_ = std::max(std::max(image.size.width, image.size.height) / 16.0, 2 * std::sqrt(area));
    for (const cv::Point2f& p : shown) ++keypoints_[cell_of({p.x, p.y})];
    std::erase_if(keypoints_, [](const auto& cell) { return cell.second < 4; });
  }

  void add_inlier(const Point& at) {
    if (keypoints_.contains(cell_of(at))) with_inliers_.insert(cell_of(at));
  }

  // Of the places, those with an inlier.
  [[nodiscard]] double share() const {
    return static_cast<double>(with_inliers_.size()) / std::max(1.0, static_cast<double>(keypoints_.size()));
  }

 private:
  using Cell = std::pair<int, int>;
  [[nodiscard]] Cell cell_of(const Point& at) const {
    return {static_cast<int>(at.x / cell_), static_cast<int>(at.y / cell_)};
  }

  double cell_ = 1;  // [pixel]
  std::map<Cell, int> keypoints_;
  std::set<Cell> with_inliers_;
};

}  // namespace

double share_with_inliers(const Keypoints& a, const Keypoints& b, const cv::Matx33d& b_from_a,
                          const PointPairs& inliers) {
  if (inliers.a.empty()) return 0;
  // Inliers lie in front of both cameras.
  const double sign = mapped(b_from_a, {inliers.a[0].x, inliers.a[0].y}).w > 0 ? 1 : -1;
  const cv::Matx33d forth = sign * b_from_a, inverse = forth.inv();
  const double back_sign = mapped(inverse, {inliers.b[0].x, inliers.b[0].y}).w > 0 ? 1 : -1;
  Places in_a(a, forth, b.size), in_b(b, back_sign * inverse, a.size);
  for (const Point& at : inliers.a) in_a.add_inlier(at);
  for (const Point& at : inliers.b) in_b.add_inlier(at);
  return std::max(in_a.share(), in_b.share());
}

}  // namespace octavo::planes
