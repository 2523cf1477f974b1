// B in A's plane. Where it would be drawn much larger than where it overlaps A, close to the horizon, it is cut: a few
// of its pixels would fill the canvas. With w the third homogeneous coordinate, H scales areas by det(H)/w³, so the
// border of what is shown is a straight line, w = constant, in A and in B.

#include "align/warp.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "align/visible.h"
#include "octavo/error.h"

namespace octavo::warping {
namespace {

constexpr int longest_side = 32766;  // OpenCV's remap counts pixels in 16 bits

constexpr double largest_magnification = 4;  // in length, against the middle of the overlap

// The part of a frame where B is drawn. The middle is that of the part of B in A's frame; A's centre if there is none.
Polygon drawn_part(const cv::Matx33d& h, cv::Size a, cv::Size b, const cv::Rect& frame) {
  const Polygon overlap = visible_part(h, b, cv::Rect({0, 0}, a));
  cv::Point2d middle = centre(a);
  if (!overlap.empty()) {
    middle = std::accumulate(overlap.begin(), overlap.end(), cv::Point2d()) / static_cast<double>(overlap.size());
  }
  const double largest_w = std::pow(largest_magnification, 2.0 / 3) * mapped(h, middle).w;
  const Polygon polygon = visible_part(h, b, frame);
  return clip(polygon, cv::Matx13d(-h(2, 0), -h(2, 1), largest_w - h(2, 2)));
}

// The largest canvas.
cv::Rect farthest_frame(cv::Size a, cv::Size b) {
  const int beyond_x = std::min(std::max(a.width, b.width), (longest_side - a.width) / 2);
  const int beyond_y = std::min(std::max(a.height, b.height), (longest_side - a.height) / 2);
  return {-beyond_x, -beyond_y, a.width + 2 * beyond_x, a.height + 2 * beyond_y};
}

}  // namespace

void check(cv::Size a, cv::Size b, const std::array<double, 9>& b_from_a) {
  for (const cv::Size size : {a, b}) {
    if (std::max(size.width, size.height) <= longest_side) continue;
    throw Error(ErrorCode::invalid_argument,
                "an image of " + std::to_string(size.width) + " × " + std::to_string(size.height) +
                    " pixels cannot be warped, the longest side is " + std::to_string(longest_side));
  }
  if (std::all_of(b_from_a.begin(), b_from_a.end(), [](double number) { return std::isfinite(number); })) return;
  throw Error(ErrorCode::invalid_argument, "the homography holds a number that is infinite or not a number");
}

cv::Rect common_frame(cv::Size a, cv::Size b, const std::array<double, 9>& b_from_a) {
  const cv::Rect farthest = farthest_frame(a, b);
  double left = 0, top = 0, right = a.width - 1, bottom = a.height - 1;
  for (const cv::Point2d& p : drawn_part(oriented(b_from_a, centre(a)), a, b, farthest)) {
    left = std::min(left, p.x);
    top = std::min(top, p.y);
    right = std::max(right, p.x);
    bottom = std::max(bottom, p.y);
  }
  // The pixels whose centres are in the polygon.
  const cv::Point first(static_cast<int>(std::ceil(left)), static_cast<int>(std::ceil(top)));
  const cv::Point last(static_cast<int>(std::floor(right)), static_cast<int>(std::floor(bottom)));
  return cv::Rect(first, last + cv::Point(1, 1)) & farthest;
}

Warped warp(const cv::Mat& image_b, cv::Size a, const std::array<double, 9>& b_from_a, cv::Rect frame) {
  cv::Matx33d h = oriented(b_from_a, centre(a));
  const Polygon polygon = drawn_part(h, a, image_b.size(), frame);
  Warped warped{cv::Mat::zeros(frame.size(), CV_8UC3), cv::Mat::zeros(frame.size(), CV_8U)};
  if (polygon.size() < 3) return warped;

  // If B has finer pixels, it is averaged down first, since sampling it point by point would cause aliasing.
  cv::Mat source = image_b;
  const Areas area = areas(h, polygon);
  const double pixels_on_one = area.in_a > 0 ? std::sqrt(area.in_b / area.in_a) : 1;  // along a side
  if (const int factor = static_cast<int>(pixels_on_one); factor >= 2) {
    const cv::Size smaller(std::max(1, image_b.cols / factor), std::max(1, image_b.rows / factor));
    cv::resize(image_b, source, smaller, 0, 0, cv::INTER_AREA);
    const double sx = static_cast<double>(smaller.width) / image_b.cols,
                 sy = static_cast<double>(smaller.height) / image_b.rows;
    h = cv::Matx33d(sx, 0, (sx - 1) / 2, 0, sy, (sy - 1) / 2, 0, 0, 1) * h;  // pixel centres map to pixel centres
  }
  const cv::Matx33d b_from_frame = h * cv::Matx33d(1, 0, frame.x, 0, 1, frame.y, 0, 0, 1);
  constexpr int how = cv::INTER_LINEAR | cv::WARP_INVERSE_MAP;
  cv::Mat mirrored_too, coverage;
  cv::warpPerspective(source, mirrored_too, b_from_frame, frame.size(), how);
  cv::warpPerspective(cv::Mat(source.size(), CV_8U, cv::Scalar(255)), coverage, b_from_frame, frame.size(), how);

  std::vector<cv::Point> corners;
  for (const cv::Point2d& p : polygon) {
    corners.emplace_back(static_cast<int>(std::lround(p.x)) - frame.x, static_cast<int>(std::lround(p.y)) - frame.y);
  }
  cv::Mat in_front = cv::Mat::zeros(frame.size(), CV_8U);
  cv::fillConvexPoly(in_front, corners, 255);
  mirrored_too.copyTo(warped.pixels, in_front);
  coverage.copyTo(warped.coverage, in_front);
  return warped;
}

}  // namespace octavo::warping
