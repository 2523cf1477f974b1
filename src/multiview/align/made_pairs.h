// Images made by homographies for tests, and what plain features tell of them.

#pragma once

#include <opencv2/imgproc.hpp>

#include "io/opencv/cv_mat.h"
#include "octavo/image.h"
#include "octavo/multiview/align.h"

namespace octavo {

/// The image by a homography, 16 samples a pixel, grey outside.
inline Image drawn_by(const Image& image, const cv::Matx33d& h, cv::Size size) {
  const cv::Matx33d fine(4, 0, 1.5, 0, 4, 1.5, 0, 0, 1);
  cv::Mat samples, drawn;
  cv::warpPerspective(io::to_mat(image.view()), samples, fine * h, size * 4, cv::INTER_LINEAR, cv::BORDER_CONSTANT,
                      128);
  cv::resize(samples, drawn, size, 0, 0, cv::INTER_AREA);
  return io::to_image(drawn);
}

inline Alignment plain_alignment(const Image& a, const Image& b) {
  Extractor extractor(SiftOptions{}, {.name = "cpu"});
  Matcher matcher({}, {.name = "cpu"});
  return align(extractor, matcher, a.view(), b.view());
}

}  // namespace octavo
