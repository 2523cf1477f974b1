#include "multiview/align/seen_doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <opencv2/imgproc.hpp>
#include <set>
#include <utility>
#include <vector>

#include "multiview/geometry/watermark.h"
#include "multiview/mosaic/warp.h"

namespace octavo {

namespace {

using Kind = AlignmentWarning::Kind;

// The places of an image: cells with at least four keypoints in the part that the other image shows too.
class Places {
 public:
  Places(const ImageView& image, const Features& features, const planes::Polygon& part)
      : cell_(static_cast<float>(std::max(image.width, image.height)) / 16) {
    const std::vector<cv::Point2f> corners(part.begin(), part.end());
    for (const Keypoint& k : features.keypoints) {
      if (cv::pointPolygonTest(corners, {k.x, k.y}, false) >= 0) ++keypoints_[cell_of(k)];
    }
    std::erase_if(keypoints_, [](const auto& cell) { return cell.second < 4; });
  }

  void add_inlier(const Keypoint& k) {
    if (keypoints_.contains(cell_of(k))) with_inliers_.insert(cell_of(k));
  }

  // Of the places, those with an inlier.
  [[nodiscard]] double share() const {
    return static_cast<double>(with_inliers_.size()) / std::max(1.0, static_cast<double>(keypoints_.size()));
  }

 private:
  using Cell = std::pair<int, int>;
  [[nodiscard]] Cell cell_of(const Keypoint& k) const {
    return {static_cast<int>(k.x / cell_), static_cast<int>(k.y / cell_)};
  }

  float cell_;  // [pixel]
  std::map<Cell, int> keypoints_;
  std::set<Cell> with_inliers_;
};

bool is_watermark(const TwoViews& views, const Alignment& found, bool is_local) {
  const auto grey_of = [](const ImageView& image) {
    cv::Mat grey;
    cv::cvtColor(mosaic::colours_of(image), grey, cv::COLOR_RGB2GRAY);
    return grey;
  };
  const ImageView &a = views.image_a, &b = views.image_b;
  if (a.width != b.width || a.height != b.height) return false;
  return planes::is_watermark(point_pairs(found.a, found.b, found.matches), found.homography.inliers, grey_of(a),
                              grey_of(b), is_local);
}

}  // namespace

double share_with_inliers(const TwoViews& views, const Alignment& found) {
  const Meeting meeting = meeting_of(cv::Matx33d(found.homography.b_from_a.data()), views.image_a, views.image_b);
  Places in_a(views.image_a, views.features_a, meeting.drawn_part),
      in_b(views.image_b, views.features_b, meeting.other_part);
  for (std::size_t i = 0; i < found.matches.size(); ++i) {
    if (found.homography.inliers[i] == 0) continue;
    in_a.add_inlier(found.a.keypoints[static_cast<std::size_t>(found.matches[i].a)]);
    in_b.add_inlier(found.b.keypoints[static_cast<std::size_t>(found.matches[i].b)]);
  }
  return std::max(in_a.share(), in_b.share());
}

void add_seen_doubts(const TwoViews& views, Alignment& found) {
  constexpr double least_share = 0.3;  // of the places; a guess
  const double share = share_with_inliers(views, found);
  const bool is_local = share < least_share;
  if (is_local) {
    found.warnings.push_back(
        {Kind::local, fmt::format("inliers lie in {:.0f} % of the places with keypoints that both images show, so the "
                                  "homography may be that of a small plane among others",
                                  100 * share)});
  }
  if (is_watermark(views, found, is_local)) {
    found.warnings.push_back({Kind::watermark,
                              "what agrees stands at the same pixels of both images, and the rest does not agree "
                              "there: a caption, a logo or a frame, perhaps"});
  }
}

}  // namespace octavo
