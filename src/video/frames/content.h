#pragma once

#include "octavo/image_view.h"
#include "octavo/video/video_file.h"

// What a frame shows: nothing to recognise, or an image between bars.

namespace octavo {

/// A rectangle of whole pixels.
struct PixelRectangle {
  int x = 0, y = 0;           ///< the top-left pixel
  int width = 0, height = 0;  ///< [pixel]
  bool operator==(const PixelRectangle&) const = default;
};

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

}  // namespace octavo
