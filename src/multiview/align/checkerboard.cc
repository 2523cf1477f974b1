// Squares of A's frame and of warped B alternate: where the images fit, edges continue from square to square.

#include <algorithm>

#include "io/opencv/cv_mat.h"
#include "io/opencv/opencv_error.h"
#include "multiview/align/two_images.h"
#include "octavo/image.h"
#include "octavo/multiview/align.h"

namespace octavo {
namespace {

// B in every second square and where A shows nothing, and A elsewhere.
std::vector<mosaic::Layer> layers_by_squares(const TwoImages& two, const cv::Rect& area) {
  constexpr int squares = 12;  // along the longer side of A; for the eye
  const ImageSize a = two.plan.images[0].size;
  const int side = std::max(1, std::max(a.width, a.height) / squares);
  std::vector<mosaic::Layer> layers = layers_of_two(two, area);
  if (layers.size() < 2) return layers;
  for (int y = 0; y < area.height; ++y) {
    auto *in_a = layers[0].mask.ptr<float>(y), *in_b = layers[1].mask.ptr<float>(y);
    for (int x = 0; x < area.width; ++x) {
      const bool is_there = in_a[x] > 0;
      if (is_there && ((area.x + x) / side + (area.y + y) / side) % 2 == 0) in_b[x] = 0;
      in_a[x] = is_there ? 1 - in_b[x] : 0;
    }
  }
  return layers;
}

}  // namespace

Image checkerboard(const ImageView& image_a, const ImageView& image_b, const std::array<double, 9>& b_from_a,
                   const ProgressSink& progress) try {
  const TwoImages two = two_images(image_a, image_b, b_from_a, CanvasOfTwo::a);
  const Image drawn = draw(
      two, [&](const cv::Rect& area) { return layers_by_squares(two, area); }, progress);
  return io::to_image(mosaic::colours_of(drawn.view()));
} catch (const cv::Exception& error) {
  throw_error_of(error, "the images cannot be drawn");
}

}  // namespace octavo
