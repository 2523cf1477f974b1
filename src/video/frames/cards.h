#pragma once

// Frames that are typeset rather than filmed: titles and credits, and colour bars. Both tests are careful: they
// rather miss a card than call an image one.

#include "octavo/image_view.h"

namespace octavo::video {

/// Whether the grey frame of 8 bits shows bright text on a plain dark ground, and nothing else. `ground` is the lowest
/// of the 16 grey levels that hold most of its pixels, of which the caller knows that they are most of the frame.
bool is_title(const ImageView& grey, int ground);

/// Whether it shows the colour bars of SMPTE (7 bars above, also with the sides of the HD form) or of the EBU (8 bars):
/// upright stripes of the same width and of falling luma.
bool is_bars(const ImageView& grey);

}  // namespace octavo::video
