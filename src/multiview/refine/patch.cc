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

double value(const cv::Mat& m, double x, double y) {
  x = std::clamp(x, 0.0, m.cols - 1.0);
  y = std::clamp(y, 0.0, m.rows - 1.0);
  const int left = std::min(static_cast<int>(x), std::max(0, m.cols - 2));
  const int top = std::min(static_cast<int>(y), std::max(0, m.rows - 2));
  const int right = std::min(left + 1, m.cols - 1), bottom = std::min(top + 1, m.rows - 1);
  const double u = x - left, v = y - top;
  const auto *p = m.ptr<std::uint16_t>(top), *q = m.ptr<std::uint16_t>(bottom);
  return (1 - v) * ((1 - u) * p[left] + u * p[right]) + v * ((1 - u) * q[left] + u * q[right]);
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
  std::array<double, patch_side * patch_side> values;
  std::size_t i = 0;
  for (int v = -patch_half; v <= patch_half; ++v) {
    for (int u = -patch_half; u <= patch_half; ++u) {
      values[i++] = value(from, keypoint.x * unit + step * (frame[0] * u + frame[1] * v),
                          keypoint.y * unit + step * (frame[2] * u + frame[3] * v));
    }
  }
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double offset = *low, gain = *high > *low ? 255 / (*high - *low) : 0;
  Patch patch;
  std::transform(values.begin(), values.end(), patch.begin(),
                 [&](double one) { return static_cast<std::uint8_t>((one - offset) * gain + 0.5); });
  return patch;
}

}  // namespace octavo::refine
