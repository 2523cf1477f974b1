// Warping by a homography H = b_from_a, homogeneous: (u, v, w) = H·(x, y, 1), and the point of B is (u/w, v/w).
//
// The points of B that are visible in A's plane have w > 0 (in front of the camera) and −1/2 ≤ u/w ≤ width − 1/2,
// likewise v. Multiplied by w these are five half planes, linear in x and y. So the visible part of any frame is a
// convex polygon, found by clipping. No corner moves to infinity, and B does not appear a second time behind the
// horizon.

#include "align/warp.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "octavo/error.h"

namespace octavo::warping {
namespace {

constexpr int longest_side = 32766;  // OpenCV's remap counts pixels in 16 bits

using Polygon = std::vector<cv::Point2d>;

/// The homography with its sign chosen so that w > 0 at A's centre.
cv::Matx33d oriented(const std::array<double, 9>& b_from_a, cv::Size a) {
  const cv::Matx33d h(b_from_a.data());
  const double w = (h * cv::Vec3d((a.width - 1) / 2.0, (a.height - 1) / 2.0, 1))[2];
  return w < 0 ? -1.0 * h : h;
}

/// The part of a convex polygon where n·(x, y, 1) ≥ 0 (Sutherland and Hodgman, 1974).
Polygon clip(const Polygon& polygon, const cv::Matx13d& n) {
  const auto side = [&](const cv::Point2d& p) { return n(0) * p.x + n(1) * p.y + n(2); };
  Polygon kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const cv::Point2d& p = polygon[i];
    const cv::Point2d& q = polygon[(i + 1) % polygon.size()];
    const double at_p = side(p), at_q = side(q);
    if (at_p >= 0) kept.push_back(p);
    if ((at_p < 0) != (at_q < 0)) kept.push_back(p + (q - p) * (at_p / (at_p - at_q)));
  }
  return kept;
}

/// The part of a frame of A's plane where B is visible.
Polygon seen(const cv::Matx33d& h, cv::Size b, cv::Rect frame) {
  const double left = frame.x - 0.5, top = frame.y - 0.5;
  const double right = left + frame.width, bottom = top + frame.height;
  const cv::Matx13d u = h.row(0), v = h.row(1), w = h.row(2);
  Polygon polygon{{left, top}, {right, top}, {right, bottom}, {left, bottom}};
  for (const cv::Matx13d& half_plane :
       {w, u + 0.5 * w, (b.width - 0.5) * w - u, v + 0.5 * w, (b.height - 0.5) * w - v}) {
    polygon = clip(polygon, half_plane);
  }
  return polygon;
}

/// The number of pixels of B, along a side, on one pixel of A; 1 if B is not visible.
double reduction(const cv::Matx33d& h, const Polygon& in_a) {
  std::vector<cv::Point2f> from, to;
  for (const cv::Point2d& p : in_a) {
    const cv::Vec3d q = h * cv::Vec3d(p.x, p.y, 1);
    if (q[2] <= 0) return 1;
    from.emplace_back(p);
    to.emplace_back(cv::Point2d(q[0] / q[2], q[1] / q[2]));
  }
  if (from.size() < 3 || cv::contourArea(from) <= 0) return 1;
  return std::sqrt(cv::contourArea(to) / cv::contourArea(from));
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
  const int beyond_x = std::min(std::max(a.width, b.width), (longest_side - a.width) / 2);
  const int beyond_y = std::min(std::max(a.height, b.height), (longest_side - a.height) / 2);
  const cv::Rect farthest(-beyond_x, -beyond_y, a.width + 2 * beyond_x, a.height + 2 * beyond_y);
  double left = 0, top = 0, right = a.width - 1, bottom = a.height - 1;
  for (const cv::Point2d& p : seen(oriented(b_from_a, a), b, farthest)) {
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
  cv::Matx33d h = oriented(b_from_a, a);
  const Polygon polygon = seen(h, image_b.size(), frame);
  Warped warped{cv::Mat::zeros(frame.size(), CV_8UC3), cv::Mat::zeros(frame.size(), CV_8U)};
  if (polygon.size() < 3) return warped;

  // If B has finer pixels, it is averaged down first, since sampling it point by point would cause aliasing.
  cv::Mat source = image_b;
  if (const int factor = static_cast<int>(reduction(h, polygon)); factor >= 2) {
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
