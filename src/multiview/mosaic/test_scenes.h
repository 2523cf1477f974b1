#pragma once

// Scenes and plans for tests.

#include <cmath>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "io/opencv/cv_mat.h"
#include "octavo/detectors.h"
#include "octavo/io/image_files.h"
#include "octavo/multiview/mosaic.h"

namespace octavo::mosaic::test {

// Blobs of all sizes and colours.
inline cv::Mat scene(int width, int height, std::uint64_t seed = 1) {
  cv::RNG random(seed);
  cv::Mat sum(height, width, CV_32FC3, cv::Scalar::all(127));
  for (const double sigma : {2.0, 5.0, 12.0}) {
    cv::Mat noise(height, width, CV_32FC3);
    random.fill(noise, cv::RNG::NORMAL, 0, 60 * sigma);
    cv::GaussianBlur(noise, noise, {}, sigma);
    sum += noise;
  }
  cv::Mat image;
  sum.convertTo(image, CV_8U);
  return image;
}

inline MosaicInput input(const std::string& name, const cv::Mat& pixels) {
  return {name, [pixels] { return io::to_image(pixels); }};
}

// Without seams, whose search takes far longer than the rest and changes no place: a test that draws asks for them.
inline MosaicPlan plan(const std::vector<MosaicInput>& inputs, const MosaicOptions& options = {.seams = false},
                       int threads = 0) {
  Extractor extractor = make_extractor(described(detector_options("sift")), {.name = "cpu", .threads = threads});
  Matcher matcher({}, {.name = "cpu"});
  return plan_mosaic(inputs, extractor, matcher, {}, options);
}

inline double rms(const cv::Mat& a, const cv::Mat& b) {
  return cv::norm(a, b) / std::sqrt(static_cast<double>(a.total() * 3));
}

inline cv::Mat colours(const Image& image) {
  cv::Mat mat = io::to_mat(image.view()), rgb;
  cv::cvtColor(mat, rgb, cv::COLOR_RGBA2RGB);
  return rgb;
}

}  // namespace octavo::mosaic::test
