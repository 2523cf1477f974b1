// An image of keypoints. Thousands of thin circles must stay readable on any photograph. So the photograph is
// darkened, every stroke has a dark rim, and the largest circles are drawn first.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include <opencv2/imgproc.hpp>

#include "io/drawing/stroke.h"
#include "io/opencv/cv_mat.h"
#include "io/opencv/opencv_error.h"
#include "octavo/image.h"
#include "octavo/io/drawing.h"

namespace octavo {
namespace {

/// The colours for logarithms of scales.
class ScaleColours {
 public:
  explicit ScaleColours(std::span<const Keypoint> keypoints) {
    cv::Mat ramp(1, 256, CV_8U);
    std::iota(ramp.begin<unsigned char>(), ramp.end<unsigned char>(), static_cast<unsigned char>(0));
    cv::applyColorMap(ramp, colours_, cv::COLORMAP_TURBO);
    for (const Keypoint& k : keypoints) {
      low_ = std::min(low_, logarithm(k.scale));
      high_ = std::max(high_, logarithm(k.scale));
    }
  }

  [[nodiscard]] cv::Scalar operator()(float scale) const {
    constexpr float darkest = 70, range = 160;  // the ends of the map are too dark on a dark photograph
    const float place = (logarithm(scale) - low_) / std::max(high_ - low_, 1.0f);
    const auto bgr = colours_.at<cv::Vec3b>(0, static_cast<int>(darkest + range * std::clamp(place, 0.0f, 1.0f)));
    return {double(bgr[2]), double(bgr[1]), double(bgr[0])};
  }

 private:
  /// The range of the scales of all keypoints; a default range if there are none.
  static float logarithm(float scale) { return std::log2(std::min(std::max(smallest, scale), largest)); }

  static constexpr float smallest = 0.5f, largest = 4096;
  cv::Mat colours_;
  float low_ = logarithm(largest), high_ = logarithm(smallest);
};

}  // namespace

Image draw_keypoints(const ImageView& image, std::span<const Keypoint> keypoints) try {
  cv::Mat canvas = io::to_display(image);
  canvas *= 0.75;

  std::vector<std::size_t> largest_first(keypoints.size());
  std::iota(largest_first.begin(), largest_first.end(), std::size_t{0});
  std::stable_sort(largest_first.begin(), largest_first.end(),
                   [&](std::size_t i, std::size_t j) { return keypoints[i].scale > keypoints[j].scale; });

  const io::Stroke stroke(canvas.size());
  const ScaleColours colour_of(keypoints);
  // Circles are at least this large, so that they are easy to see. If there are many, they are smaller, so that they do
  // not hide the image and each other.
  const double spacing = std::sqrt(static_cast<double>(canvas.total()) / static_cast<double>(keypoints.size() + 1));
  const auto smallest = static_cast<float>(std::clamp(spacing / 4, 2.0, 2.5 * stroke.width()));
  for (const std::size_t i : largest_first) {
    const Keypoint& k = keypoints[i];
    const float radius = std::max(k.scale, smallest);
    if (has_ellipse(k)) {
      std::array<double, 4> matrix = affine_matrix(k);
      for (double& element : matrix) element *= double{radius} / std::max(k.scale, 1e-6f);
      stroke.dial(canvas, {k.x, k.y}, matrix, colour_of(k.scale));
    } else {
      stroke.dial(canvas, {k.x, k.y}, radius, k.orientation, colour_of(k.scale));
    }
  }
  return io::to_image(canvas);
} catch (const cv::Exception& error) {
  throw_error_of(error, "the keypoints cannot be drawn");
}

}  // namespace octavo
