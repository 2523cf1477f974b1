// The strokes of all drawings: OpenCV draws them at fractions of a pixel.

#include "io/drawing/stroke.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <opencv2/imgproc.hpp>

namespace octavo::io {
namespace {

// OpenCV takes fractions of a pixel as fixed-point numbers.
constexpr int fraction_bits = 4;
constexpr float fraction = 1 << fraction_bits;

int fixed(float value) {
  // Beyond any image. Coordinates that are not numbers are moved there too.
  constexpr float far = 1e5f;
  return static_cast<int>(std::lround(std::min(std::max(-far, value), far) * fraction));
}
cv::Point fixed(cv::Point2f point) { return {fixed(point.x), fixed(point.y)}; }

const cv::Scalar rim_colour(20, 20, 20);

}  // namespace

Stroke::Stroke(cv::Size image) {
  constexpr double diagonals_per_width = 1600;
  width_ = std::max(1, static_cast<int>(std::lround(std::hypot(image.width, image.height) / diagonals_per_width)));
}

void Stroke::dial(cv::Mat& canvas, cv::Point2f centre, float radius, float angle, const cv::Scalar& colour) const {
  const cv::Point2f tip = centre + radius * cv::Point2f(std::cos(angle), std::sin(angle));
  const auto draw = [&](const cv::Scalar& with, int width) {
    cv::circle(canvas, fixed(centre), fixed(radius), with, width, cv::LINE_AA, fraction_bits);
    cv::line(canvas, fixed(centre), fixed(tip), with, width, cv::LINE_AA, fraction_bits);
  };
  // A small dial needs fine strokes to stay readable.
  const int width = std::clamp(fixed(radius) / fixed(5), 1, width_);
  draw(rim_colour, width + 2 * std::max(1, width / 2));
  draw(colour, width);
}

void Stroke::dial(cv::Mat& canvas, cv::Point2f centre, const std::array<double, 4>& a, const cv::Scalar& colour) const {
  constexpr int corners = 48;
  std::vector<cv::Point> outline;
  for (int i = 0; i < corners; ++i) {
    const double turn = 2 * std::numbers::pi * i / corners, c = std::cos(turn), s = std::sin(turn);
    outline.push_back(fixed(centre + cv::Point2f(cv::Point2d(a[0] * c + a[1] * s, a[2] * c + a[3] * s))));
  }
  const cv::Point2f hand(cv::Point2d(a[0], a[2]));
  const auto draw = [&](const cv::Scalar& with, int width) {
    cv::polylines(canvas, outline, true, with, width, cv::LINE_AA, fraction_bits);
    cv::line(canvas, fixed(centre), fixed(centre + hand), with, width, cv::LINE_AA, fraction_bits);
  };
  const auto radius = static_cast<float>(std::sqrt(std::abs(a[0] * a[3] - a[1] * a[2])));
  const int width = std::clamp(fixed(radius) / fixed(5), 1, width_);
  draw(rim_colour, width + 2 * std::max(1, width / 2));
  draw(colour, width);
}

void Stroke::disc(cv::Mat& canvas, cv::Point2f centre, float radius, const cv::Scalar& colour) const {
  cv::circle(canvas, fixed(centre), fixed(radius + std::max(1.0f, width() / 2)), rim_colour, cv::FILLED, cv::LINE_AA,
             fraction_bits);
  cv::circle(canvas, fixed(centre), fixed(radius), colour, cv::FILLED, cv::LINE_AA, fraction_bits);
}

void Stroke::line(cv::Mat& canvas, cv::Point2f from, cv::Point2f to, const cv::Scalar& colour) const {
  cv::line(canvas, fixed(from), fixed(to), colour, width_, cv::LINE_AA, fraction_bits);
}

}  // namespace octavo::io
