#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/detectors.h"
#include "octavo/device.h"
#include "octavo/progress.h"
#include "octavo/video/video.h"
#include "octavo/video/video_tracks.h"

// From the frames of a clip to frames with drawn keypoints and tracks, in stages that run at the same time.

namespace OCTAVO_API octavo {

struct KeypointFilm {
  std::string clip;
  std::function<Video(const VideoOptions&)> standard_input{};  ///< opens the clip "-"; none: "-" is a file
  std::string output{};                                        ///< empty: the frames are not drawn
  int standard_output = -1;                                    ///< descriptor of the output "-"; −1: "-" is a file
  bool tracks = true, grey = false;
  VideoCodec codec = VideoCodec::automatic;
  VideoOptions video{};  ///< with `live`, frames for which there is no time are dropped; the job decides about `colour`
  TrackOptions track{};
  DetectorOptions detector{};
  DeviceOptions device{};
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

  /// The share of a sum over all frames that a frame has in the mean; 0 without frames.
  [[nodiscard]] double per_frame(double sum) const;
  [[nodiscard]] double frames_per_second() const;
  [[nodiscard]] double times_real_time() const;
};

/// Does it. What the decoder says is told to the context as warnings, and as a failure why the clip was not read to its
/// end; the output then holds the frames before. A stop ends the work early, and well. Throws, before the work,
/// Error(invalid_option) and Error(file_error) for an output that cannot be written or is the clip; and the errors of a
/// clip that cannot be opened, of the extraction and of the output.
FilmReport make_film(const KeypointFilm& film, const JobContext& context = {});

/// The object that `octavo video keypoints --json` prints.
std::string json_of(const KeypointFilm& film, const FilmReport& report);

}  // namespace octavo
