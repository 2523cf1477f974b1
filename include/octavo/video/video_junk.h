#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "octavo/api.h"
#include "octavo/image.h"

// Frames that show nothing to recognise, and frames that repeat the one before.

namespace OCTAVO_API octavo {

/// A rectangle of whole pixels.
struct PixelRectangle {
  int x = 0, y = 0;           ///< the top-left pixel
  int width = 0, height = 0;  ///< [pixel]
  bool operator==(const PixelRectangle&) const = default;
};

/// Why a frame is junk.
enum class Junk : std::uint8_t {
  none,
  black,  ///< at least 98 % of its pixels are dark, at most 25 above black (FFmpeg's blackdetect: a tenth of the range)
  flat,   ///< 98 % of its pixels lie within 16 grey levels
  /// Bright text on a plain dark ground and nothing else: titles and credits. 70 % of the pixels lie within 16 dark
  /// levels. All but 0.2 % of the others are within 3 pixels of letters: eight or more groups of pixels that are far
  /// brighter, of like height and brightness, side by side in lines.
  title,
  bars,  ///< the colour bars of SMPTE or the EBU
};

/// "none", "black", "flat", "title" or "bars".
std::string_view name_of(Junk junk);

/// What a grey frame shows.
struct FrameContent {
  Junk junk = Junk::none;
  /// The image between black bars (letterbox, pillarbox): without the rows and columns at the borders whose mean is
  /// at most 24 above black (FFmpeg's cropdetect), and of which at most 1 in 50 pixels is more than 40 above it. The
  /// whole frame if it has no bars, is black, or nothing would be left.
  PixelRectangle active;
  bool operator==(const FrameContent&) const = default;
};

/// Describes a grey frame of 8 bits. `black` is the value of black: 16 if the luma of a limited range is as stored.
/// Throws Error(invalid_argument) for another image.
FrameContent content_of(const ImageView& grey, int black = 0);

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
