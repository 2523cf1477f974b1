// A photograph seen from another viewpoint. Two effects would falsify measurements. The border of the photograph would
// be an edge at which detectors find points, so the frame is chosen inside the photograph. Details finer than a pixel
// would alias, so each pixel is a mean over its square.

#include "study/evaluate/change_view.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <opencv2/imgproc.hpp>
#include <string>

#include "octavo/error.h"

namespace octavo::evaluation {
namespace {

constexpr int samples = 4;         // along a pixel's side
constexpr int smallest_side = 16;  // [pixel]
// [pixel] OpenCV's warp holds coordinates in 16 bits.
constexpr int largest_side = std::numeric_limits<short>::max() - 1;

cv::Matx33d shift(double dx, double dy) { return {1, 0, dx, 0, 1, dy, 0, 0, 1}; }

// Whether the frame of this size, centred on A, shows only points of A. The frame's image in A is convex, so it
// suffices to test its corners.
bool shows_only_a(const cv::Matx33d& a_from_b, cv::Size2d frame, cv::Size a) {
  for (const double x : {-0.5, 0.5}) {
    for (const double y : {-0.5, 0.5}) {
      const cv::Vec3d p = a_from_b * cv::Vec3d(x * frame.width, y * frame.height, 1);
      if (p[2] <= 0) return false;
      if (std::abs(p[0] / p[2]) > 0.5 * a.width || std::abs(p[1] / p[2]) > 0.5 * a.height) return false;
    }
  }
  return true;
}

// The largest frame that has A's proportions and shows only points of A, at most A's size. Found by bisection.
cv::Size largest_frame(const cv::Matx33d& a_from_b, cv::Size a) {
  const auto frame = [&](double part) { return cv::Size2d(part * a.width, part * a.height); };
  double low = 0, high = 1;
  if (shows_only_a(a_from_b, frame(1 - 1e-9), a)) return a;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (shows_only_a(a_from_b, frame(middle), a) ? low : high) = middle;
  }
  const cv::Size2d largest = frame(low);
  return {static_cast<int>(std::floor(largest.width + 1e-6)), static_cast<int>(std::floor(largest.height + 1e-6))};
}

}  // namespace

View change_view(const cv::Mat& image, const cv::Matx33d& about_centre) {
  if (std::max(image.cols, image.rows) > largest_side) {
    throw Error(ErrorCode::invalid_argument, "an image of " + std::to_string(image.cols) + " × " +
                                                 std::to_string(image.rows) +
                                                 " pixels is too large to be seen from elsewhere: the most is " +
                                                 std::to_string(largest_side) + " pixels a side");
  }
  const cv::Size frame = largest_frame(about_centre.inv(), image.size());
  if (std::min(frame.width, frame.height) < smallest_side) {
    throw Error(ErrorCode::invalid_argument,
                "an image of " + std::to_string(image.cols) + " × " + std::to_string(image.rows) +
                    " pixels is too small to be seen from elsewhere: less than 16 pixels of a side would be left");
  }
  const cv::Matx33d b_from_a = shift((frame.width - 1) / 2.0, (frame.height - 1) / 2.0) * about_centre *
                               shift(-(image.cols - 1) / 2.0, -(image.rows - 1) / 2.0);
  // Sample i of a row lies at pixel (i + 1/2) / samples − 1/2.
  const double half = (samples - 1) / 2.0;
  const cv::Matx33d fine_from_b(samples, 0, half, 0, samples, half, 0, 0, 1);
  cv::Mat fine, seen;
  cv::warpPerspective(image, fine, fine_from_b * b_from_a, frame * samples, cv::INTER_CUBIC, cv::BORDER_REFLECT_101);
  cv::resize(fine, seen, frame, 0, 0, cv::INTER_AREA);
  return {seen, b_from_a * (1 / b_from_a(2, 2))};
}

}  // namespace octavo::evaluation
