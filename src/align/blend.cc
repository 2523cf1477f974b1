// Both pictures in A's plane: their mean where both have pixels, otherwise the one that has. Alpha tells where
// any of them has; at B's edges it falls off within a pixel.

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

  cv::Mat canvas(frame.size(), CV_8UC4, cv::Scalar(255, 255, 255, 0));
  for (int y = 0; y < canvas.rows; ++y) {
    const auto* in_b = pixels.ptr<cv::Vec3b>(y);
    const auto* weight_b = coverage.ptr<unsigned char>(y);
    const int row_of_a = y + frame.y;
    const bool row_has_a = row_of_a >= 0 && row_of_a < a.rows;
    const auto* in_a = row_has_a ? a.ptr<cv::Vec3b>(row_of_a) : nullptr;
    auto* out = canvas.ptr<cv::Vec4b>(y);
    for (int x = 0; x < canvas.cols; ++x) {
      const int column_of_a = x + frame.x;
      const bool has_a = row_has_a && column_of_a >= 0 && column_of_a < a.cols;
      const int total = (has_a ? 255 : 0) + weight_b[x];
      if (total == 0) continue;
      for (int c = 0; c < 3; ++c) {
        const int sum = 255 * ((has_a ? in_a[column_of_a][c] : 0) + in_b[x][c]);
        out[x][c] = cv::saturate_cast<unsigned char>((sum + total / 2) / total);
      }
      out[x][3] = cv::saturate_cast<unsigned char>(total);
    }
  }
  return imageio::to_image(canvas);
} catch (const cv::Exception& error) {
  throw_error_of(error, "the pictures cannot be blended");
}

}  // namespace octavo
