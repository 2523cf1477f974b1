// The memory of an inspection's own planes and lists, which are in memory after the extraction.

#pragma once

#include "engine/core/internal_api.h"
#include "engine/inspect/inspector.h"
#include "octavo/device.h"
#include "octavo/image_view.h"

namespace octavo {
namespace OCTAVO_INTERNAL_API inspection {

/// Throws Error(out_of_memory) if the least that the planes and `files`, what is made of them, take is not available,
/// and Error(invalid_argument) for a shape that is none of an image.
void require_memory(const Inspector& inspector, const ImageView& image, const DeviceOptions& device,
                    const MemoryNeed& files);

/// Computes estimate_inspection().
MemoryEstimate estimate_of(const Inspector& inspector, const ImageView& image, bool masked,
                           const DeviceOptions& device);

}  // namespace inspection
}  // namespace octavo
