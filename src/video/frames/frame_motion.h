#pragma once

// What a small grey frame tells beside the one before it: how far its content has moved, and how sharp it is.

#include <opencv2/core.hpp>
#include <optional>

namespace octavo::video {

/// The sharpness of a frame; larger is sharper. None for a frame that shows nothing: it is of one colour.
std::optional<double> sharpness_of(const cv::Mat& grey);

/// Looks at one frame after the other.
class FrameMotion {
 public:
  /// [pixel] How far the content moves from the last frame to this one (u8). None if they show different things: the
  /// first frame, or the first one after a cut.
  std::optional<cv::Point2d> to(const cv::Mat& grey);
  /// The next frame is the first one.
  void forget() { last_.release(); }

 private:
  std::optional<cv::Point2d> shift_to(const cv::Mat& now);

  cv::Mat last_, window_;  // f32
};

}  // namespace octavo::video
