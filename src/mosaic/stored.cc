// Pixels that show nothing are holes of the picture: NaN, a file's value for missing data, and what alpha hides.

#include "mosaic/stored.h"

#include <limits>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <vector>

#include "imageio/cv_mat.h"
#include "mosaic/warp.h"

namespace octavo::mosaic {
namespace {

// The pixels of these channels that are finite and have another value.
cv::Mat present(const cv::Mat& colours, std::optional<double> no_data) {
  std::vector<cv::Mat> channels;
  cv::split(colours, channels);
  cv::Mat shown(colours.size(), CV_8U, cv::Scalar(255));
  for (const cv::Mat& channel : channels) {
    // NaN is in no range.
    if (channel.depth() == CV_32F) shown &= cv::abs(channel) <= std::numeric_limits<float>::max();
    if (no_data) shown &= channel != static_cast<double>(static_cast<float>(*no_data));
  }
  return shown;
}

bool has_alpha(const ImageView& image) { return image.channels == 2 || image.channels == 4; }

// Where alpha is at least half.
cv::Mat opaque(const ImageView& image) {
  const cv::Mat matrix = imageio::to_mat(image);
  cv::Mat alpha;
  cv::extractChannel(matrix, alpha, matrix.channels() - 1);
  const double full = alpha.depth() == CV_8U ? 255 : alpha.depth() == CV_16U ? 65535 : 1;
  return alpha >= full / 2;
}

ValueRange scale_of(const MosaicImage& picture) {
  if (picture.scale) return *picture.scale;
  const std::optional<ValueRange> used = values_used(picture.image.view(), picture.no_data);
  return full_scale(picture.image.type(), used.value_or(ValueRange{}));
}

}  // namespace

Stored stored_of(const MosaicImage& picture) {
  const ImageView view = picture.image.view();
  Stored stored{colours_of(view), {}, scale_of(picture)};
  if (view.type != PixelType::f32 && !picture.no_data && !has_alpha(view)) return stored;
  stored.shown = present(stored.colours, picture.no_data);
  if (has_alpha(view)) stored.shown &= opaque(view);
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
