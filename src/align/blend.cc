// Both pictures in A's plane: their mean where both have pixels, otherwise the one that has.

#include "align/warp.h"
#include "geometry/opencv_error.h"
#include "imageio/cv_mat.h"
#include "octavo/align.h"

namespace octavo {

Image blend(const ImageView& image_a, const ImageView& image_b, const std::array<double, 9>& b_from_a) try {
  const cv::Mat a = imageio::to_display(image_a);
  const cv::Mat b = imageio::to_display(image_b);
  warping::check(a.size(), b.size(), b_from_a);
  const cv::Rect frame = warping::common_frame(a.size(), b.size(), b_from_a);
  const auto [pixels, coverage] = warping::warp(b, a.size(), b_from_a, frame);

  cv::Mat canvas = pixels;
  for (int y = 0; y < a.rows; ++y) {
    const auto* in = a.ptr<cv::Vec3b>(y);
    const auto* weight = coverage.ptr<unsigned char>(y - frame.y) - frame.x;
    auto* out = canvas.ptr<cv::Vec3b>(y - frame.y) - frame.x;
    for (int x = 0; x < a.cols; ++x) {
      const int total = 255 + weight[x];
      for (int c = 0; c < 3; ++c)
        out[x][c] = cv::saturate_cast<unsigned char>((255 * (in[x][c] + out[x][c]) + total / 2) / total);
    }
  }
  return imageio::to_image(canvas);
} catch (const cv::Exception& error) {
  throw_error_of(error, "the pictures cannot be blended");
}

}  // namespace octavo
