// Features of images with smooth shades. What such an image shows is fainter than its noise, pixel by pixel, and the
// noise has the most of its features. Averaged over some pixels the noise is low; then the mean around each pixel is
// subtracted and the difference divided by the deviation around it (local contrast normalisation; Jarrett et al., "What
// is the best multi-stage architecture for object recognition?", ICCV 2009, §2.1), so that faint edges are above the
// detector's contrast threshold too. The deviation of the noise is a part of the divisor: noise alone stays faint.
//
// These features are also those of what is faint in all images of a camera, such as dust on its sensor. So what they
// place must be confirmed by the intensities (mosaic::align).

#include "multiview/mosaic/even_contrast.h"

#include <cmath>
#include <opencv2/imgproc.hpp>

#include "io/opencv/cv_mat.h"

namespace octavo::mosaic {
namespace {

// These were chosen on the tiles of the wallpapers Patak and Canopee, for the most tiles placed (docs/mosaic.md).
constexpr std::size_t copy_level = 1;    // of GreyImage, in whose pixels the lengths are
constexpr double copy_smoothing = 0.7;   // [pixel of the level] σ, besides the smoothing of the level
constexpr double window = 8;             // [pixel of the level] σ of the window that has the mean and the deviation
constexpr double noise_factor = 1.3;     // the least divisor, in deviations of level 0's noise
constexpr double contrast = 40 / 255.0;  // a deviation of the window, in the range 0…1 of the copy

cv::Mat even_copy(const GreyImage& image) {
  cv::Mat grey, mean, variance, copy;
  image.levels[copy_level].convertTo(grey, CV_32F);
  cv::GaussianBlur(grey, grey, {}, copy_smoothing);
  cv::GaussianBlur(grey, mean, {}, window);
  const cv::Mat difference = grey - mean;
  cv::GaussianBlur(difference.mul(difference), variance, {}, window);
  cv::sqrt(variance + std::pow(noise_factor * image.noise, 2), variance);
  cv::divide(difference, variance, copy, contrast);
  copy.convertTo(copy, CV_16U, 65535, 65535 / 2.0);
  return copy;
}

}  // namespace

Features features_of_even_contrast(const GreyImage& image, Extractor& extractor) {
  if (image.levels.size() <= copy_level) return {};
  Features features = extractor.extract(io::view_of(even_copy(image)));
  const double pixel = static_cast<double>(image.size.width) / image.levels[0].cols;
  for (Keypoint& keypoint : features.keypoints) {
    // cv::pyrDown keeps every second pixel.
    const cv::Point2d at = image.pixel_from_level(cv::Point2d(keypoint.x, keypoint.y) * (1 << copy_level));
    keypoint.x = static_cast<float>(at.x);
    keypoint.y = static_cast<float>(at.y);
    keypoint.scale *= static_cast<float>(pixel * (1 << copy_level));
  }
  return features;
}

}  // namespace octavo::mosaic
