#pragma once

// The list of FramesJob: JSON, frame by frame as they come.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/api.h"
#include "octavo/video/video_file.h"
#include "video/frames/content.h"
#include "video/frames/frame_runs.h"

namespace OCTAVO_API octavo {
struct VideoFrame;  // octavo/video/video.h
class Video;
}  // namespace octavo

namespace octavo::jobs {

/// A frame and what was found out about it.
struct ListedFrame {
  const VideoFrame& frame;
  const FrameContent& content;
  bool repeats = false;  ///< it shows what the frame before shows
  std::string file;      ///< of its image; empty: none
};

class FrameList {
 public:
  /// `print` is FramesJob::list; `several`: the list is an array of videos.
  FrameList(const std::function<bool(std::string_view)>& print, bool several);

  void begin(const std::string& clip, const VideoFacts& facts);
  void add(const ListedFrame& listed);
  void add(const FrameRun& run) { runs_.push_back(run); }
  /// Ends a video; `error` is empty, or why it was not read to its end.
  void end(const Video& video, const std::string& error);
  void finish();
  /// Whether nothing more is wanted.
  [[nodiscard]] bool is_broken() const { return is_broken_; }

 private:
  void print(const std::string& piece);

  const std::function<bool(std::string_view)>& print_;
  bool several_, is_broken_ = false, is_first_clip_ = true, is_first_frame_ = true;
  std::vector<FrameRun> runs_;
};

}  // namespace octavo::jobs
