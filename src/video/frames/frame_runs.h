#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "octavo/image.h"

// Frames that repeat the one before.

namespace octavo {

/// Consecutive frames that do not differ.
struct FrameRun {
  std::int64_t first = 0;   ///< the index of the first frame
  std::int64_t last = 0;    ///< the index of the last frame that was taken
  std::int64_t frames = 0;  ///< the number of frames that were taken
  double begin = 0;         ///< [second] the time of the first frame
  double end =
      0;  ///< [second] the time of the first frame that differs; at the end of the video that of the last frame
};

/// Finds runs of unchanged frames. Each frame is compared with the first one of the run, so that slow changes end it.
/// It is unchanged if no block of 8×8 pixels differs by more than 12 grey levels a pixel in the mean, and at most a
/// third of the blocks by more than 5: the limits of FFmpeg's mpdecimate.
class FrameRuns {
 public:
  /// Takes the next frame. Returns true if it repeats the first frame of the run. Throws Error(invalid_argument) for an
  /// image that is not grey of 8 bits.
  bool add(const ImageView& grey, std::int64_t index, double seconds);
  /// The run that the last frame belongs to. None before the first frame.
  [[nodiscard]] const std::optional<FrameRun>& current() const { return current_; }
  /// The runs of two or more frames that have ended since the last call, and are then forgotten.
  std::vector<FrameRun> take_ended();
  /// Ends the current run.
  void finish();

 private:
  void end_run(double seconds);

  Image first_;
  std::optional<FrameRun> current_;
  std::vector<FrameRun> ended_;
};

}  // namespace octavo
