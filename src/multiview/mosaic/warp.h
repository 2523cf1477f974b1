#pragma once

#include <array>
#include <opencv2/core.hpp>
#include <vector>

#include "multiview/mosaic/canvas.h"
#include "octavo/multiview/mosaic.h"

namespace octavo::mosaic {

/// Three channels of the image's own depth, without alpha.
cv::Mat colours_of(const ImageView& image);

/// A copy of this size, each pixel the mean of those that it replaces; the image itself if it has the size.
cv::Mat reduced(const cv::Mat& image, ImageSize size);

/// Where the pixels of a part of a canvas lie in an image.
struct Lookup {
  cv::Mat x, y;    ///< CV_32F, pixels of the image
  cv::Mat inside;  ///< CV_8U: 255 in the image

  /// Views of a part, and of these rows.
  [[nodiscard]] Lookup part(const cv::Rect& area) const;
  [[nodiscard]] Lookup rows(const cv::Range& range) const;
};

/// The rows of a matrix, some at a time: what is made of few rows in several steps stays in the cache.
std::vector<cv::Range> strips_of(int rows);

/// The area may reach beyond the canvas. Returns an empty lookup if the image is nowhere in it.
Lookup look_up(const Geometry& geometry, const Canvas& canvas, const cv::Rect& area);

/// Takes the places out of a lookup where the image shows nothing; `shown` is Stored::shown. Nothing may be left.
void leave_holes(Lookup& lookup, const cv::Mat& shown);

/// The places of a lookup in parts of the image's width and height (CV_32FC2).
cv::Mat places_of(const Lookup& lookup, ImageSize size);

/// The squared distance of a place from the centre of its image, in halves of the diagonal.
double squared_radius(const cv::Vec2f& place, ImageSize size);

/// The image (CV_8UC3, CV_16UC3 or CV_32FC3) at these places as CV_32FC3, bicubic: 0…1 for the values of the scale.
/// Beyond its edges it is reflected.
cv::Mat sample(const cv::Mat& image, const ValueRange& scale, const Lookup& lookup);

/// What the colours of an image are divided by.
struct Correction {
  std::array<double, 3> gain{1, 1, 1};
  Vignetting vignetting{};
};

/// Divides the colours of places_of an image of this size by the correction.
void correct(cv::Mat& colours, const cv::Mat& places, ImageSize size, const Correction& correction);

}  // namespace octavo::mosaic
