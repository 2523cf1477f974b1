// Patches in the frames of keypoints. A patch whose samples are far apart is taken from a smaller image, so that it has
// no more detail than its samples show. The halves are computed with integers, which are the same on every machine.

#include "multiview/refine/patch.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <opencv2/imgproc.hpp>

#include "engine/core/check_image.h"
#include "io/opencv/cv_mat.h"

namespace octavo::refine {
namespace {

constexpr int least_side = 64;  // [pixel] of an image that is halved

cv::Mat grey_of(const ImageView& image) {
  check_image(image);
  cv::Mat grey = io::to_mat(image);
  const double scale = image.type == PixelType::u8 ? 257 : image.type == PixelType::u16 ? 1 : 65535;
  grey.convertTo(grey, CV_16U, scale);
  if (grey.channels() >= 3) cv::cvtColor(grey, grey, grey.channels() == 3 ? cv::COLOR_RGB2GRAY : cv::COLOR_RGBA2GRAY);
  if (grey.channels() == 2) cv::extractChannel(grey, grey, 0);
  return grey;
}

// The value between the four pixels from (left, top) on; `right` and `below` say whether there are pixels there.
float between(const cv::Mat& m, double x, double y, int left, int top, int right, int below) {
  const auto u = static_cast<float>(x - left), v = static_cast<float>(y - top);
  const auto *p = m.ptr<std::uint16_t>(top) + left, *q = m.ptr<std::uint16_t>(top + below) + left;
  const auto p0 = static_cast<float>(p[0]), q0 = static_cast<float>(q[0]);
  const float above = p0 + u * (static_cast<float>(p[right]) - p0),
              under = q0 + u * (static_cast<float>(q[right]) - q0);
  return above + v * (under - above);
}

float value_inside(const cv::Mat& m, double x, double y) {
  return between(m, x, y, static_cast<int>(x), static_cast<int>(y), 1, 1);
}

float value_anywhere(const cv::Mat& m, double x, double y) {
  x = std::clamp(x, 0.0, m.cols - 1.0);
  y = std::clamp(y, 0.0, m.rows - 1.0);
  const int left = static_cast<int>(x), top = static_cast<int>(y);
  return between(m, x, y, left, top, left + 1 < m.cols ? 1 : 0, top + 1 < m.rows ? 1 : 0);
}

}  // namespace

bool has_frame(const Keypoint& keypoint) {
  const std::array<double, 4> frame = affine_matrix(keypoint);
  return keypoint.scale > 0 && std::isfinite(keypoint.x) && std::isfinite(keypoint.y) &&
         std::ranges::all_of(frame, [](double one) { return std::isfinite(one); });
}

PatchImage::PatchImage(const ImageView& image) : levels_{grey_of(image)} {
  while (std::min(levels_.back().cols, levels_.back().rows) > least_side) {
    cv::Mat half;
    cv::pyrDown(levels_.back(), half);
    levels_.push_back(half);
  }
}

Patch PatchImage::around(const Keypoint& keypoint) const {
  const std::array<double, 4> frame = affine_matrix(keypoint);
  const int coarsest = static_cast<int>(levels_.size()) - 1;
  const int level = std::clamp(std::ilogb(std::max(1.0, keypoint.scale * sample_step)), 0, coarsest);
  const double unit = 1.0 / (1 << level), step = sample_step * unit;
  const cv::Mat& from = levels_[static_cast<std::size_t>(level)];
  const double x = keypoint.x * unit, y = keypoint.y * unit;
  const double reach_x = patch_half * step * (std::abs(frame[0]) + std::abs(frame[1]));
  const double reach_y = patch_half * step * (std::abs(frame[2]) + std::abs(frame[3]));
  // A pixel less than fits, since the sums below are rounded.
  const bool is_inside =
      x - reach_x >= 1 && y - reach_y >= 1 && x + reach_x < from.cols - 2 && y + reach_y < from.rows - 2;
  std::array<float, patch_side * patch_side> values;
  const auto take = [&](const auto& value) {
    std::size_t i = 0;
    for (int v = -patch_half; v <= patch_half; ++v) {
      for (int u = -patch_half; u <= patch_half; ++u) {
        values[i++] = value(from, x + step * (frame[0] * u + frame[1] * v), y + step * (frame[2] * u + frame[3] * v));
      }
    }
  };
  if (is_inside) {
    take(value_inside);
  } else {
    take(value_anywhere);
  }
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const float offset = *low, gain = *high > *low ? 255 / (*high - *low) : 0;
  Patch patch;
  std::transform(values.begin(), values.end(), patch.begin(),
                 [&](float one) { return static_cast<std::uint8_t>((one - offset) * gain + 0.5f); });
  return patch;
}

}  // namespace octavo::refine
