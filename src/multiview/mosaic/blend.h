#pragma once

#include <opencv2/core.hpp>
#include <vector>

namespace octavo::mosaic {

/// Sums up images of one area, each with its own mask, by bands of frequency: a low one is blended over a wide strip
/// along the seams, a high one over a narrow strip. Both sides of the area must be multiples of 2^bands.
class Blender {
 public:
  Blender(cv::Size area, int bands);
  /// `place`: in the area, its corners at multiples of 2^bands, with margin_of(bands) around the mask unless the area
  /// ends. `colours`: CV_32FC3, also sensible around the mask; `mask`: CV_32F, 0…1.
  void add(const cv::Rect& place, const cv::Mat& colours, const cv::Mat& mask);
  /// CV_32FC3. Where no mask was, the values are meaningless.
  cv::Mat blended();

 private:
  std::vector<cv::Mat> sums_, weights_;
};

/// The pixels of a block next to its margin change with what is up to so far away [pixel], a multiple of 2^bands.
int margin_of(int bands);

/// As many bands for an image with this shorter side [pixel], at most so many: the lowest has 16 pixels along it. A
/// lower one would reach beyond the edges of the image.
int bands_of(int shorter_side, int most);

}  // namespace octavo::mosaic
