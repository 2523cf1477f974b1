// Squares of A's frame and of warped B alternate: where the pictures fit, edges continue from square to square.

#include <algorithm>

#include "align/warp.h"
#include "geometry/opencv_error.h"
#include "imageio/cv_mat.h"
#include "octavo/align.h"

namespace octavo {

Image checkerboard(const ImageView& image_a, const ImageView& image_b, const std::array<double, 9>& b_from_a) try {
  constexpr int squares = 12;
  cv::Mat canvas = imageio::to_display(image_a);
  const cv::Mat b = imageio::to_display(image_b);
  warping::check(canvas.size(), b.size(), b_from_a);
  const cv::Rect frame({0, 0}, canvas.size());
  const auto [pixels, coverage] = warping::warp(b, canvas.size(), b_from_a, frame);

  const int side = std::max(1, std::max(canvas.cols, canvas.rows) / squares);
  for (int y = 0; y < canvas.rows; ++y) {
    const auto* in = pixels.ptr<cv::Vec3b>(y);
    const auto* weight = coverage.ptr<unsigned char>(y);
    auto* out = canvas.ptr<cv::Vec3b>(y);
    for (int x = 0; x < canvas.cols; ++x) {
      const bool is_b = (x / side + y / side) % 2 == 1;
      if (!is_b) continue;
      for (int c = 0; c < 3; ++c) {
        out[x][c] = cv::saturate_cast<unsigned char>(in[x][c] + (out[x][c] * (255 - weight[x]) + 127) / 255);
      }
    }
  }
  return imageio::to_image(canvas);
} catch (const cv::Exception& error) {
  throw_error_of(error, "the pictures cannot be drawn");
}

}  // namespace octavo
