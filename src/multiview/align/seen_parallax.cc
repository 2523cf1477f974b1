#include "multiview/align/seen_parallax.h"

#include <algorithm>
#include <opencv2/core.hpp>

#include "multiview/align/evidence.h"
#include "multiview/geometry/visible_part.h"
#include "multiview/mosaic/intensities.h"
#include "multiview/mosaic/warp.h"

namespace octavo {

namespace {

// Without the matches around which B shows, where the homography puts them, what A shows. Of real depth 0 to 15 % are
// such, of patterns that repeat more than half.
planes::Parallax seen(planes::Parallax parallax, const cv::Matx33d& h, const ImageView& image_a,
                      const ImageView& image_b, double threshold) {
  const int agree = places_shown_alike(parallax.off_in_a, h, image_a, image_b, threshold);
  parallax.epipolar -= agree;
  parallax.off -= agree;
  return parallax;
}

}  // namespace

int places_shown_alike(std::span<const Point> in_a, const cv::Matx33d& b_from_a, const ImageView& image_a,
                       const ImageView& image_b, double threshold) {
  constexpr double most_pixels = 2e6;  // it bounds the time, as in mosaics (read_images.cc)
  mosaic::GreyImage a = mosaic::grey_image(mosaic::colours_of(image_a), most_pixels);
  const mosaic::GreyImage b = mosaic::grey_image(mosaic::colours_of(image_b), most_pixels);
  a.patches.clear();
  for (const Point& p : in_a) {
    if (const auto patch = a.patch_at({p.x, p.y})) a.patches.push_back(*patch);
  }
  const mosaic::PairPoints found =
      mosaic::match_intensities(0, 1, a, b, mosaic::map_of(b_from_a, {image_b.width, image_b.height})).points;
  const cv::Matx33d pixel_of_a = mosaic::normalised_from_pixel(a.size).inv(),
                    pixel_of_b = mosaic::normalised_from_pixel(b.size).inv();
  int agree = 0;
  for (std::size_t i = 0; i < found.in_a.size(); ++i) {
    const cv::Point2d p = planes::mapped(pixel_of_a, found.in_a[i]).place,
                      q = planes::mapped(pixel_of_b, found.in_b[i]).place;
    if (cv::norm(planes::mapped(b_from_a, p).place - q) <= threshold) ++agree;
  }
  return agree;
}

void keep_seen_parallax(std::vector<AlignmentWarning>& warnings, const RobustModel& homography, const PointPairs& pairs,
                        const ImageView& image_a, const ImageView& image_b, const RobustOptions& robust,
                        double radius) {
  const auto is_parallax = [](const AlignmentWarning& one) { return one.kind == AlignmentWarning::Kind::parallax; };
  if (std::ranges::none_of(warnings, is_parallax)) return;
  const planes::Parallax parallax = parallax_within(homography, pairs, robust, radius);
  const cv::Matx33d h(homography.b_from_a.data());
  if (!seen(parallax, h, image_a, image_b, robust.threshold).shows_depth()) std::erase_if(warnings, is_parallax);
}

}  // namespace octavo
