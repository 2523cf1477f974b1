#pragma once

#include <cstdint>
#include <string_view>

#include "octavo/api.h"
#include "octavo/image_view.h"

// Frames that show nothing to recognise.

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

}  // namespace octavo
