// The pixels of a view. They are made on the host for every device, in the same order of operations on every CPU, so a
// device that finds the same features in the same image finds the same in the same view.

#pragma once

#include "engine/core/internal_api.h"
#include "engine/device/cpu_pool.h"
#include "engine/views/view.h"
#include "octavo/image_view.h"

namespace OCTAVO_INTERNAL_API octavo {

/// An image in grey as floats, 0…1.
Image as_floats(const ImageView& grey, CpuPool& pool);

/// The view of an image in grey; both are one channel of floats, 0…1. Beyond the edge of the image its outermost pixels
/// go on.
Image synthesize(const ImageView& grey, const ViewFrame& frame, CpuPool& pool);

/// The places of the view that show the image and, with a mask of the image, a pixel that is not 0 there: 255, others
/// are 0. One channel, u8.
Image view_mask(const ImageView& image, const ImageView* mask, const ViewFrame& frame, CpuPool& pool);

}  // namespace octavo
