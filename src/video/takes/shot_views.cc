// Cuts and views are found in one pass, since most of the time is the decoder's.

#include "video/takes/shot_views.h"

#include <utility>

#include "io/opencv/cv_mat.h"
#include "video/frames/small_frames.h"
#include "video/frames/view_chooser.h"
#include "video/takes/cut_finder.h"
#include "video/takes/shots.h"

namespace octavo {

ClipViews views_of_shots(std::size_t clip, const std::filesystem::path& file, const VideoOptions& options,
                         const ProgressSink& progress, const std::stop_token& stop) {
  CutFinder cuts;
  video::MatchableViews views;
  const auto add = [&](const cv::Mat& grey, double seconds) {
    cuts.add(io::view_of(grey), seconds);
    views.add(grey, seconds);
    return !stop.stop_requested();
  };
  video::ReadFrames read = video::read_small_frames(file, options, progress, add);
  ClipShots parts = shots_of(clip, cuts.finish(read.seconds), true, {}, 0, 0);
  ClipViews result{.facts = std::move(read.facts),
                   .shots = {},
                   .left_out = std::move(parts.left_out),
                   .warnings = std::move(read.warnings)};
  const std::vector<double> times = views.finish();
  for (const Shot& shot : parts.shots) {
    ShotViews& of_shot = result.shots.emplace_back(ShotViews{.shot = shot, .views = {}});
    for (const double time : times) {
      if (time >= shot.in && time < shot.out) of_shot.views.push_back(time);
    }
  }
  return result;
}

}  // namespace octavo
