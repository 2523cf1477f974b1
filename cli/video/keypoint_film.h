#pragma once

// The work of `octavo video keypoints`: from the frames of a clip to drawn frames, in stages that run at the same time.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "octavo/detectors.h"
#include "octavo/device.h"
#include "octavo/video/video.h"
#include "video/frames/video_tracks.h"
#include "video/frames/video_writer.h"

namespace octavo::cli {

class Interruption;
class Progress;

struct KeypointFilm {
  std::string clip, output;  ///< no output: the frames are not drawn
  bool tracks = true, grey = false;
  VideoCodec codec = VideoCodec::automatic;
  VideoOptions video;  ///< with `live`, frames for which there is no time are dropped
  TrackOptions track;
  DetectorOptions detector;
  DeviceOptions device;
};

/// What was done, and at which rate.
struct FilmReport {
  VideoFacts facts;
  std::vector<VideoWarning> warnings;
  std::string device, codec;  ///< the codec is empty without an output
  ImageSize size;             ///< [pixel] of the first frame
  std::int64_t frames = 0;
  std::int64_t dropped = 0;   ///< frames of a live clip that came too fast; the others are `frames`
  std::size_t keypoints = 0;  ///< of all frames
  TrackStatistics tracks;
  double clip_seconds = 0;  ///< from the first frame to the end of the last one
  double seconds = 0;       ///< that the work took
  /// All frames together. The first and the last are those of CPU cores in other processes, the others are waited for
  /// here. They overlap.
  double decode_seconds = 0, extract_seconds = 0, match_seconds = 0, draw_seconds = 0, encode_seconds = 0;
  std::string error;  ///< why the clip was not read to its end; empty: it was
};

/// Does it. Ends early, and well, after an interruption. Throws the errors of a clip that cannot be opened, of the
/// extraction and of the output.
FilmReport make_film(const KeypointFilm& film, const Interruption& interruption, Progress& progress);

}  // namespace octavo::cli
