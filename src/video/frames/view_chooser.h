#pragma once

#include <cstddef>
#include <opencv2/core.hpp>
#include <optional>
#include <vector>

#include "video/frames/frame_motion.h"

namespace octavo::video {

/// Places of a frame, spread over it, that are looked for in the frames after it.
class FollowedView {
 public:
  explicit FollowedView(const cv::Mat& grey);

  /// The number of places; few in a frame with little texture.
  [[nodiscard]] std::size_t size() const { return places_.size(); }
  /// Finds the places in the next frame, to which the whole moves by `motion` [pixel]. Returns the share of them that
  /// it shows, that look alike there, and that have moved as most others have: 0…1.
  double follow(const cv::Mat& next, const cv::Point2d& motion);

 private:
  struct Place {
    cv::Mat patch;     // as the frame of the beginning has it
    cv::Point2d from;  // [pixel] its top left corner there
    cv::Point2d at;    // and in the last frame
  };
  std::vector<Place> places_;
};

/// Chooses frames of a camera that moves through a scene, so that neighbours can be matched, also the next but one. Of
/// the frames that show 60 to 80 percent of the places of the last one that was chosen, the sharpest is taken. A camera
/// that stands still gives none, a cut begins anew, and frames of one colour are left out.
class MatchableViews {
 public:
  /// `grey` is u8; all frames have one size, or are after a cut.
  void add(const cv::Mat& grey, double seconds);
  /// The times of the chosen frames, in order.
  std::vector<double> finish();

 private:
  struct View {
    FollowedView places;
    double seconds, sharpness;
    double share = 1;  // that the last frame shows of it
  };
  void follow(const cv::Mat& grey);
  void choose(View view);

  FrameMotion motion_;
  std::optional<View> chosen_, next_;  // the last one that was chosen, and the best one to follow it
  bool is_settled_ = false;            // no sharper frame can take the place of the last one
  std::vector<double> times_;
};

}  // namespace octavo::video
