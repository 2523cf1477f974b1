#pragma once

#include <functional>
#include <opencv2/core.hpp>
#include <optional>
#include <vector>

#include "multiview/mosaic/frames.h"
#include "octavo/image_view.h"

namespace octavo::mosaic {

/// The grey image, kept to compare places of images by their intensities.
struct GreyImage {
  ImageSize size;                  ///< of the image
  std::vector<cv::Mat> levels;     ///< CV_16U; each is half as large as the one before
  std::vector<cv::Point> patches;  ///< [pixel of level 0] centres of patches, the strongest of each cell
  double noise = 0;                ///< the standard deviation of level 0's noise

  /// The pixel of level 0 that shows a pixel of the image, and back.
  [[nodiscard]] cv::Point2d level_from_pixel(const cv::Point2d& p) const;
  [[nodiscard]] cv::Point2d pixel_from_level(const cv::Point2d& p) const;
  /// The centre of the patch nearest to a pixel of the image; none at the edges.
  [[nodiscard]] std::optional<cv::Point> patch_at(const cv::Point2d& pixel) const;
};

/// A grey image of at most `most_pixels`. `colours` has three channels (RGB): u8, u16, or float from 0 to 1.
GreyImage grey_image(const cv::Mat& colours, double most_pixels);

/// Where a pixel of a is expected in b; none if b does not show it.
using PixelMap = std::function<std::optional<cv::Point2d>(const cv::Point2d&)>;

/// Where a homography shows pixels of a in b; none far outside of b.
PixelMap map_of(const cv::Matx33d& b_from_a, ImageSize size_b);

/// Places of two images that show the same, found near the expected ones.
struct IntensityMatches {
  PairPoints points;
  int tried = 0;  ///< patches with structure well above the noise that the other image should show
  std::vector<cv::Point2d> tried_in_a{};  ///< normalised places of these
};

/// Compares patches of a with b. A patch is found within about ten pixels of level 0.
IntensityMatches match_intensities(int a, int b, const GreyImage& grey_a, const GreyImage& grey_b,
                                   const PixelMap& b_from_a);

}  // namespace octavo::mosaic
