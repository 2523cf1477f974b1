#pragma once

#include <array>

#include <opencv2/core.hpp>

namespace octavo::io {

/// Antialiased strokes with a width that suits the size of the image. Coordinates are pixel centres, with fractions.
class Stroke {
 public:
  explicit Stroke(cv::Size image);

  /// [pixel]
  [[nodiscard]] float width() const { return static_cast<float>(width_); }

  /// A circle with a hand that points along `angle` [radian, from +x towards +y], both with a dark rim.
  void dial(cv::Mat& canvas, cv::Point2f centre, float radius, float angle, const cv::Scalar& colour) const;
  /// An ellipse, the image of the unit circle under `matrix` (row by row), with a hand to the image of (1, 0).
  void dial(cv::Mat& canvas, cv::Point2f centre, const std::array<double, 4>& matrix, const cv::Scalar& colour) const;
  /// A line with a dark rim.
  void disc(cv::Mat& canvas, cv::Point2f centre, float radius, const cv::Scalar& colour) const;
  void line(cv::Mat& canvas, cv::Point2f from, cv::Point2f to, const cv::Scalar& colour) const;

 private:
  int width_;
};

}  // namespace octavo::io
