// Small frames are enough to choose by.

#include "video/frames/small_frames.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "io/opencv/cv_mat.h"
#include "octavo/video/video.h"

namespace octavo::video {

ReadFrames read_small_frames(const std::filesystem::path& file, VideoOptions options, const ProgressSink& progress,
                             const std::function<bool(const cv::Mat& grey, double seconds)>& take) {
  options.every = 1;
  options.size = 480;
  options.colour = false;
  options.ascending = true;
  Video video(file, options);
  std::optional<double> first;
  while (const std::optional<VideoFrame> frame = video.next()) {
    if (!first) first = frame->seconds;
    if (!take(io::to_mat(frame->grey.view()), frame->seconds - *first)) break;
    report(progress, "frames", static_cast<std::size_t>(video.decoded()),
           static_cast<std::size_t>(std::max<std::int64_t>(0, video.facts().declared_frames)));
  }
  return {.facts = video.facts(), .seconds = video.seconds_done(), .warnings = video.warnings()};
}

}  // namespace octavo::video
