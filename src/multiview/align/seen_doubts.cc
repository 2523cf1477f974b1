#include "multiview/align/seen_doubts.h"

#include <fmt/format.h>

#include <opencv2/imgproc.hpp>

#include "multiview/align/beside_inliers.h"
#include "multiview/align/choice.h"
#include "multiview/align/supported_inliers.h"
#include "multiview/geometry/inlier_share.h"
#include "multiview/geometry/watermark.h"
#include "multiview/mosaic/warp.h"

namespace octavo {

namespace {

using Kind = AlignmentWarning::Kind;

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

// Of the places with keypoints that both images show, the share with an inlier; in the image where it is greater. Where
// it is small, the homography may be that of another plane than the one that fills the images.
double share_with_inliers(const TwoViews& views, const Alignment& found) {
  const ImageView &a = views.image_a, &b = views.image_b;
  return planes::share_with_inliers({{a.width, a.height}, views.features_a}, {{b.width, b.height}, views.features_b},
                                    cv::Matx33d(found.homography.b_from_a.data()),
                                    marked_pairs(found, found.homography.inliers));
}

}  // namespace

void add_seen_doubts(const TwoViews& views, Alignment& found, double threshold) {
  constexpr double least_share = 0.3;  // of the places; a guess
  const double share = share_with_inliers(views, found);
  bool is_local = share < least_share;
  if (is_local) {
    found.warnings.push_back(
        {Kind::local, fmt::format("inliers lie in {:.0f} % of the places with keypoints that both images show, so the "
                                  "homography may be that of a small plane among others",
                                  100 * share)});
  } else if (!has_warning(found, {Kind::parallax}) && differ_beside_inliers(views, found, threshold)) {
    is_local = true;
    found.warnings.push_back({Kind::local,
                              "inliers gather in a part of what both images show, and the images differ "
                              "beside it: they may have one thing in common"});
  } else if (!has_warning(found, {Kind::parallax}) && differ_mostly(views, found, threshold)) {
    is_local = true;
    found.warnings.push_back({Kind::local,
                              "few places agree, and the images differ in most of what both show: they may have "
                              "one thing in common"});
  }
  if (is_watermark(views, found, is_local)) {
    found.warnings.push_back({Kind::watermark,
                              "what agrees stands at the same pixels of both images, and the rest does not agree "
                              "there: a caption, a logo or a frame, perhaps"});
  }
}

}  // namespace octavo
