// An image in colour as an image in grey of the same type, on the threads of the CPU.

#pragma once

#include <cstddef>

#include "engine/device/cpu_isa.h"
#include "engine/device/cpu_pool.h"
#include "octavo/choices.h"
#include "octavo/image_view.h"

namespace octavo {

/// Writes the luma of a valid image to `out`, one channel of the image's type, rows packed. Whole-number samples are
/// rounded to the nearest one, float samples are exactly those of the scale space.
void grey_image(const ImageView& image, Luma luma, const Isa& isa, CpuPool& pool, std::byte* out);

}  // namespace octavo
