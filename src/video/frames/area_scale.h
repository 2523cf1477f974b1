#pragma once

// Scaling by the mean of areas, exactly. A pixel of the result covers a rectangle of the source, and is the mean of
// what lies below it, where a source pixel that is covered in part counts by that part. With W×H source and w×h result
// pixels, everything is a whole number in units of 1/w and 1/h of a source pixel:
//
//   result(x, y) = ⌊(Σ_j Σ_i  a_i b_j source(i, j) + W H / 2) / (W H)⌋
//   a_i = length of [x W, (x + 1) W) ∩ [i w, (i + 1) w),  b_j = length of [y H, (y + 1) H) ∩ [j h, (j + 1) h)
//
// No number is rounded but the result, so that each machine gives the same bytes. FFmpeg's swscale does not: its
// results depend on the instruction set and on flags. The same formula enlarges: pixels become blocks whose borders are
// mixed.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "octavo/image_view.h"

namespace octavo::video {

/// A view of a plane of bytes.
struct BytePlane {
  const std::uint8_t* data = nullptr;
  std::ptrdiff_t stride = 0;  ///< [byte] from a row to the next
  int width = 0;              ///< [pixel] 1…65535
  int height = 0;             ///< [pixel] 1…65535
};

/// Packed rows of the plane scaled to this size, both sides 1…65535. Throws std::bad_alloc.
std::vector<std::uint8_t> scale_area(const BytePlane& source, ImageSize size);

}  // namespace octavo::video
