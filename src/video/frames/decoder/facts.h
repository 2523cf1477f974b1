#pragma once

#include "octavo/video/video_file.h"
#include "video/frames/decoder/stream.h"
#include "video/frames/orientation.h"

namespace octavo::video {

/// What the file, and the first frame where it knows better, say of the video.
VideoFacts facts_of(const Stream& stream, const AVFrame& first);

/// The colours of a frame: FFmpeg's name of the matrix, whether it is assumed, and whether the range is limited.
struct FrameColours {
  std::string matrix;
  bool is_assumed = false, is_limited = false;
};
FrameColours colours_of(const AVFrame& frame);

/// The shape of the stored pixels of a frame; 1:1 if it is not known.
Ratio pixel_aspect_of(const Stream& stream, const AVFrame& frame);

/// How the frame is to be shown, by the stream or, if that says nothing, by the frame. `is_exact`: by quarter turns.
struct FrameTurn {
  Orientation orientation;
  bool is_exact = true;
};
FrameTurn turn_of(const Stream& stream, const AVFrame& frame);

}  // namespace octavo::video
