#pragma once

#include <opencv2/core.hpp>

namespace octavo::imageio {

/// Antialiased strokes with a dark rim, as wide as a picture of a given size asks for. Coordinates are pixel centres,
/// with fractions.
class Stroke {
 public:
  explicit Stroke(cv::Size picture);

  /// [pixel]
  [[nodiscard]] float width() const { return static_cast<float>(width_); }

  void circle(cv::Mat& canvas, cv::Point2f centre, float radius, const cv::Scalar& colour) const;
  void disc(cv::Mat& canvas, cv::Point2f centre, float radius, const cv::Scalar& colour) const;
  void line(cv::Mat& canvas, cv::Point2f from, cv::Point2f to, const cv::Scalar& colour) const;

 private:
  int width_;
  int rim_;
};

}  // namespace octavo::imageio
