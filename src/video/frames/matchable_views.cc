// The choice is made by small frames.

#include "video/frames/matchable_views.h"

#include "video/frames/small_frames.h"
#include "video/frames/view_chooser.h"

namespace octavo::video {

ChosenViews choose_matchable_views(const std::filesystem::path& file, const VideoOptions& options,
                                   const ProgressSink& progress, const std::stop_token& stop) {
  MatchableViews views;
  ChosenViews chosen;
  const auto add = [&](const cv::Mat& grey, double seconds) {
    views.add(grey, seconds);
    return !stop.stop_requested();
  };
  chosen.warnings = read_small_frames(file, options, progress, add).warnings;
  chosen.times = views.finish();
  return chosen;
}

}  // namespace octavo::video
