// Both images in A's plane, joined as a mosaic of two, or as the mean of both, which shows where they do not fit.

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "io/opencv/opencv_error.h"
#include "multiview/align/two_images.h"
#include "multiview/mosaic/blend.h"
#include "multiview/mosaic/seams.h"
#include "multiview/mosaic/small.h"
#include "multiview/mosaic/things.h"
#include "octavo/image.h"
#include "octavo/multiview/align.h"

namespace octavo {
namespace {

using Parts = std::vector<MosaicPlan::Details::Part>;

// The image of which nothing is shown, although it is on the canvas.
std::optional<int> hidden_image(const Parts& parts) {
  std::array<bool, 2> there{}, shown{};
  for (const auto& part : parts) {
    const auto i = static_cast<std::size_t>(part.image);
    there[i] = true;
    shown[i] = shown[i] || cv::countNonZero(part.mask) > 0;
  }
  for (int i = 0; i < 2; ++i) {
    if (there[static_cast<std::size_t>(i)] && !shown[static_cast<std::size_t>(i)]) return i;
  }
  return {};
}

// Takes the middle of this image away from the other: the part that is at least half as far from its edge as the
// farthest point.
void give_middle(Parts& parts, int image) {
  for (const auto& part : parts) {
    if (part.image != image) continue;
    cv::Mat mask, distance;
    cv::copyMakeBorder(part.mask, mask, 1, 1, 1, 1, cv::BORDER_CONSTANT, 0);
    cv::distanceTransform(mask, distance, cv::DIST_L2, cv::DIST_MASK_5);
    double farthest = 0;
    cv::minMaxLoc(distance, nullptr, &farthest);
    const cv::Mat middle = distance(cv::Rect({1, 1}, part.mask.size())) >= farthest / 2;
    for (auto& other : parts) {
      const cv::Rect common = other.place & part.place;
      if (other.image == image || common.empty()) continue;
      other.mask(common - other.place.tl()).setTo(0, middle(common - part.place.tl()));
    }
  }
}

// An image that lies within the other has no seam, since the cheapest cut is none.
void find_seam(Parts& parts) {
  const auto copy = [](const Parts& from) {
    Parts to = from;
    for (auto& part : to) part.mask = part.mask.clone();
    return to;
  };
  Parts cut = copy(parts);
  mosaic::find_seams(cut);
  if (const std::optional<int> hidden = hidden_image(cut)) {
    cut = copy(parts);
    give_middle(cut, *hidden);
    mosaic::find_seams(cut);
  }
  parts = std::move(cut);
}

int shortest_side(const TwoImages& two) {
  int shortest = std::numeric_limits<int>::max();
  for (const mosaic::Stored& image : two.pixels) {
    shortest = std::min({shortest, image.colours.cols, image.colours.rows});
  }
  return shortest;
}

}  // namespace

Image blend(const ImageView& image_a, const ImageView& image_b, const std::array<double, 9>& b_from_a,
            const BlendOptions& options, const ProgressSink& progress) try {
  validate(options);
  TwoImages two = two_images(image_a, image_b, b_from_a, CanvasOfTwo::both);
  if (options.blend == Blending::mean) {
    return draw(
        two, [&](const cv::Rect& area) { return layers_of_two(two, area); }, progress);
  }
  auto details = std::make_shared<MosaicPlan::Details>(*two.plan.details);
  two.plan.exposure = options.exposure;
  details->options.bands = mosaic::bands_of(shortest_side(two), options.bands);
  report(progress, "exposure");
  const auto small = [](const ImageView& image) { return mosaic::small_copy(shown_pixels(image), 2); };
  mosaic::draw_small(two.plan, *details, {small(image_a), small(image_b)});
  if (two.plan.exposure) mosaic::correct_exposure(two.plan, *details);
  auto &gain_a = two.plan.images[0].gain, &gain_b = two.plan.images[1].gain;
  for (std::size_t c = 0; c < gain_a.size(); ++c) {
    gain_b[c] /= gain_a[c];
    gain_a[c] = 1;
  }
  report(progress, "seams");
  find_seam(details->parts);
  mosaic::find_hidden_things(details->parts);
  two.plan.details = details;
  const mosaic::Pixels pixels = [&](int image) { return two.pixels[static_cast<std::size_t>(image)]; };
  return draw(
      two, [&](const cv::Rect& area) { return mosaic::layers_by_seams(*two.plan.details, pixels, area); }, progress);
} catch (const cv::Exception& error) {
  throw_error_of(error, "the images cannot be blended");
}

}  // namespace octavo
