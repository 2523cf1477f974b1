// Multi-band blending (Burt & Adelson, "A multiresolution spline with application to image mosaics", ACM TOG 1983),
// with normalised weights. OpenCV's blender takes 8 bits, or 16 bits with a sign, in which the differences of 16-bit
// images do not fit; this one is its float equivalent.

#include "multiview/mosaic/blend.h"

#include <opencv2/imgproc.hpp>

namespace octavo::mosaic {

// A level's filter reaches 2 pixels of that level, downwards and upwards again: 4·(1 + 2 + … + 2^(bands − 1)) and the
// pixel of the coarsest level itself.
int margin_of(int bands) { return 5 << bands; }

int bands_of(int shorter_side, int most) {
  int bands = 0;
  while (bands < most && shorter_side >> (bands + 5) > 0) ++bands;
  return bands;
}

Blender::Blender(cv::Size area, int bands) {
  for (int level = 0; level <= bands; ++level) {
    sums_.push_back(cv::Mat::zeros(area, CV_32FC3));
    weights_.push_back(cv::Mat::zeros(area, CV_32F));
    area = {(area.width + 1) / 2, (area.height + 1) / 2};
  }
}

void Blender::add(const cv::Rect& place, const cv::Mat& colours, const cv::Mat& mask) {
  cv::Mat fine = colours, weight = mask;
  for (std::size_t level = 0; level < sums_.size(); ++level) {
    cv::Mat band, coarse, coarse_weight;
    if (level + 1 == sums_.size()) {
      band = fine;
    } else {
      cv::pyrDown(fine, coarse);
      cv::pyrDown(weight, coarse_weight);
      cv::pyrUp(coarse, band, fine.size());
      cv::subtract(fine, band, band);
    }
    const int left = place.x >> level, top = place.y >> level;
    for (int y = 0; y < band.rows; ++y) {
      const auto* from = band.ptr<cv::Vec3f>(y);
      const auto* w = weight.ptr<float>(y);
      auto* sum = sums_[level].ptr<cv::Vec3f>(top + y) + left;
      auto* total = weights_[level].ptr<float>(top + y) + left;
      for (int x = 0; x < band.cols; ++x) {
        sum[x] += from[x] * w[x];
        total[x] += w[x];
      }
    }
    fine = coarse;
    weight = coarse_weight;
  }
}

cv::Mat Blender::blended() {
  // The least sum of weights (0…1) that is divided by: below it a pixel has no colour. It bounds rounding errors alone.
  constexpr float least = 1e-6F;
  cv::Mat result;
  for (std::size_t level = sums_.size(); level-- > 0;) {
    cv::Mat& sum = sums_[level];
    for (int y = 0; y < sum.rows; ++y) {
      auto* pixel = sum.ptr<cv::Vec3f>(y);
      const auto* total = weights_[level].ptr<float>(y);
      for (int x = 0; x < sum.cols; ++x) {
        pixel[x] = total[x] > least ? cv::Vec3f(pixel[x] * (1 / total[x])) : cv::Vec3f();
      }
    }
    if (result.empty()) {
      result = sum;
    } else {
      cv::Mat wide;
      cv::pyrUp(result, wide, sum.size());
      sum += wide;
      result = sum;
    }
  }
  return result;
}

}  // namespace octavo::mosaic
