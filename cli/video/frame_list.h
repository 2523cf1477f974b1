#pragma once

// The list that `octavo video frames` prints: JSON, frame by frame as they come, or a line of text for each video.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/standard_streams.h"
#include "octavo/video/video.h"
#include "octavo/video/video_junk.h"

namespace octavo::cli {

/// A frame and what was found out about it.
struct ListedFrame {
  const VideoFrame& frame;
  const FrameContent& content;
  bool repeats = false;  ///< it shows what the frame before shows
  std::string file;      ///< of its image; empty: none
};

class FrameList {
 public:
  /// `several`: JSON is an array of videos.
  FrameList(bool json, bool several);

  void begin(const std::string& clip, const VideoFacts& facts);
  void add(const ListedFrame& listed);
  void add(const FrameRun& run) { runs_.push_back(run); }
  /// Ends a video; `error` is empty, or why it was not read to its end.
  void end(const Video& video, const std::string& error);
  /// Ends the list. Throws Error(file_error) if something could not be printed.
  void finish();
  [[nodiscard]] bool is_broken() const { return out_.is_broken(); }

 private:
  bool json_, several_;
  ListOutput out_;
  bool is_first_clip_ = true;
  std::string clip_;
  std::size_t frames_ = 0, black_ = 0, flat_ = 0, titles_ = 0, bars_ = 0, repeats_ = 0, interlaced_ = 0;
  std::vector<FrameRun> runs_;
};

}  // namespace octavo::cli
