#pragma once

// The stored values of images, and where they show something.

#include <opencv2/core.hpp>

#include "octavo/image_view.h"

namespace octavo {
struct StoredImage;  // octavo/io/image_files.h
}  // namespace octavo

namespace octavo::mosaic {

/// An image with its stored values.
struct Stored {
  cv::Mat colours;  ///< as colours_of gives them; finite
  cv::Mat shown;    ///< CV_8U: 255 where it shows something; empty if it does everywhere
  ValueRange scale{};

  /// A copy of this size, which shows nothing where some of the pixels that a pixel replaces do not.
  [[nodiscard]] Stored resized(ImageSize size) const;
};

/// Where alpha is at least half, as Stored::shown.
cv::Mat shown_by_alpha(const ImageView& image);

/// What the image shows; what it does not is filled with the lowest value of its scale.
Stored stored_of(const StoredImage& image);

/// Whether the values are in a unit of their own, not those of photographs.
bool has_own_unit(const ValueRange& values, PixelType type);

}  // namespace octavo::mosaic
