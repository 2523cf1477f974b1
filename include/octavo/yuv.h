#pragma once

#include <cstddef>
#include <cstdint>

#include "octavo/api.h"
#include "octavo/image_view.h"

// Luma of decoded video and of cameras, as images.

namespace OCTAVO_API octavo {

/// The samples of black and white in luma: 0 and 255, or 16 and 235, as most video has them; of u16 256 times as much.
enum class LumaRange : std::uint8_t { full, limited };

/// The luma plane of a frame: of NV12, NV21, P010 and P016 (semi-planar), and of I420, YV12, 4:2:2 and 4:4:4 (planar).
/// Octavo works on grey, which is the luma, so chroma has no part in it. P010 is u16: its 10 bits are the upper ones.
struct LumaPlane {
  const void* data = nullptr;
  int width = 0;                   ///< [pixel]
  int height = 0;                  ///< [pixel]
  std::ptrdiff_t stride = 0;       ///< bytes from one row to the next; need not be aligned
  PixelType type = PixelType::u8;  ///< u8 or u16
  LumaRange range = LumaRange::limited;
};

/// The plane as a grey image for an Extractor or a Pyramid. Of the full range it is the plane itself: the view has its
/// data and its stride. Of the limited range it is a copy in `room`, stretched to the full range, rounded to the
/// nearest sample and clipped; the samples are those that Octavo reads of a video. `room` must live as long as the
/// view, and needs no new memory for the next frame of the same size and type. Throws Error(invalid_argument) for an
/// invalid plane or f32, and Error(out_of_memory).
///
/// On a GPU, a plane of the full range is a DeviceImage with one channel. One of the limited range has 219/255 of the
/// contrast: give it as it is, and multiply contrast_threshold by that.
ImageView image_of(const LumaPlane& luma, Image& room);

}  // namespace octavo
