// Pixels that show nothing are holes of the image: NaN, values for missing data, and what alpha hides.

#include "multiview/mosaic/stored.h"

#include <limits>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <vector>

#include "io/images/mask.h"
#include "io/opencv/cv_mat.h"
#include "multiview/mosaic/warp.h"
#include "octavo/io/image_files.h"
#include "octavo/multiview/mosaic.h"

namespace octavo::mosaic {
namespace {

// The values that stand for missing data: that of the file, and of floats those that are found. A value of whole
// numbers that is far from others may be shown, such as a lamp or a scale bar.
std::vector<double> missing_values(const StoredImage& image) {
  std::vector<double> values;
  if (image.image.type() == PixelType::f32) values_used(image.image.view(), image.no_data, nullptr, &values);
  if (image.no_data) values.push_back(*image.no_data);
  return values;
}

// The pixels of these channels that are finite and have other values.
cv::Mat present(const cv::Mat& colours, const std::vector<double>& missing) {
  std::vector<cv::Mat> channels;
  cv::split(colours, channels);
  cv::Mat shown(colours.size(), CV_8U, cv::Scalar(255));
  for (const cv::Mat& channel : channels) {
    // NaN is in no range.
    if (channel.depth() == CV_32F) shown &= cv::abs(channel) <= std::numeric_limits<float>::max();
    for (const double value : missing) shown &= channel != static_cast<double>(static_cast<float>(value));
  }
  return shown;
}

ValueRange scale_of(const StoredImage& image) {
  if (image.scale) return *image.scale;
  const std::optional<ValueRange> used = values_used(image.image.view(), image.no_data);
  return full_scale(image.image.type(), used.value_or(ValueRange{}));
}

}  // namespace

cv::Mat shown_by_alpha(const ImageView& image) {
  const auto mask = mask_of_alpha(image);
  return mask ? io::to_mat(mask->view()).clone() : cv::Mat();
}

Stored stored_of(const StoredImage& image) {
  const ImageView view = image.image.view();
  Stored stored{colours_of(view), {}, scale_of(image)};
  const cv::Mat opaque = shown_by_alpha(view);
  if (view.type != PixelType::f32 && !image.no_data && opaque.empty()) return stored;
  stored.shown = present(stored.colours, missing_values(image));
  if (!opaque.empty()) stored.shown &= opaque;
  if (cv::countNonZero(stored.shown) == static_cast<int>(stored.shown.total())) {
    stored.shown.release();
  } else {
    stored.colours.setTo(cv::Scalar::all(stored.scale.low), ~stored.shown);
  }
  return stored;
}

Stored Stored::resized(ImageSize size) const {
  Stored other{reduced(colours, size), {}, scale};
  if (!shown.empty()) other.shown = reduced(shown, size) == 255;
  return other;
}

bool has_own_unit(const ValueRange& values, PixelType type) { return values != full_scale(type, {}); }

}  // namespace octavo::mosaic
