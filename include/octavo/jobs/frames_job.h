#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/api.h"
#include "octavo/progress.h"
#include "octavo/video/video.h"

// Frames, taken out of videos: as images, as a list and as a contact sheet.

namespace OCTAVO_API octavo {

/// What was taken of a video.
struct TakenFrames {
  std::string clip;
  VideoFacts facts;
  std::int64_t decoded = 0;  ///< frames of the video that were decoded
  std::size_t taken = 0;     ///< those that were taken; of these:
  std::size_t black = 0, flat = 0, titles = 0, bars = 0, repeats = 0, interlaced = 0;
};

struct FramesJob {
  std::vector<std::string> clips;
  std::function<Video(const VideoOptions&)> standard_input{};  ///< opens what "-" stands for; none: "-" is a file
  VideoOptions video{};                                        ///< without `colour`, which the job decides
  bool grey = false;                                           ///< grey images: the luma that detectors see
  std::filesystem::path output{};                              ///< the folder of the images; empty: there are none
  std::filesystem::path contact_sheet{};                       ///< an image of all frames; empty: there is none
  /// Is told the list as JSON, piece by piece, each as soon as its frame is there: an object, of several videos an
  /// array of objects. False ends the job. May be empty.
  std::function<bool(std::string_view piece)> list{};
  std::function<void(const TakenFrames&)> take{};  ///< is told each video at its end; may be empty
};

/// Takes the frames. A video that cannot be read is told to the context as a failure, what it had is in the list, and
/// the others are read. What the decoder says is a warning. A job that is stopped ends the list. Throws, before the
/// work, Error(invalid_option), also for videos of one name, whose images would overwrite each other, and for a sheet
/// of several videos; and Error(file_error) for outputs that cannot be written.
void take_frames(const FramesJob& job, const JobContext& context = {});

}  // namespace octavo
