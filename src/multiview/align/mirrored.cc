#include "multiview/align/mirrored.h"

#include <algorithm>
#include <opencv2/core.hpp>

#include "io/exif/exif.h"
#include "io/images/mask.h"
#include "io/opencv/cv_mat.h"
#include "multiview/align/aligned.h"
#include "multiview/align/choice.h"
#include "octavo/image.h"

namespace octavo {

namespace {

constexpr int turned_over = 2;  // the orientation of EXIF that exchanges left and right

void bring_back(Alignment& found, ImageSize b) {
  io::turn_as_stored(found.b.keypoints, b, turned_over);
  const cv::Matx33d h =
      cv::Matx33d(-1, 0, b.width - 1, 0, 1, 0, 0, 0, 1) * cv::Matx33d(found.homography.b_from_a.data());
  std::copy_n(h.val, 9, found.homography.b_from_a.begin());
}

}  // namespace

std::optional<Alignment> align_mirrored(const Alignment& plain, const ImageView& image_a, const ImageView& image_b,
                                        const AlignTools& tools, const RobustOptions& robust,
                                        const ProgressSink& progress) {
  report(progress, "the mirror image of B");
  const Image mirror = io::turned_upright(io::to_image(io::to_mat(image_b)), turned_over);
  Extractor extractor = make_extractor(tools.detector, tools.device);
  Matcher matcher(for_views(tools.match, views_of(tools.detector)), tools.device);
  Alignment found =
      aligned(plain.a, extract_shown(extractor, mirror.view()), matcher, image_a, mirror.view(), robust, progress);
  if (is_doubted(found) || !ends_search(found) || !replaces(found, plain)) return {};
  bring_back(found, {image_b.width, image_b.height});
  found.retried = true;
  found.warnings.push_back(
      {AlignmentWarning::Kind::mirrored, "B is a mirror image of A, or the two show a symmetric thing from two sides"});
  return found;
}

}  // namespace octavo
