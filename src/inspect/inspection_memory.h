// The memory of an inspection's own planes, lists and files, which are in memory after the extraction.

#pragma once

#include "inspect/inspector.h"
#include "octavo/device.h"
#include "octavo/image.h"
#include "octavo/inspection_folder.h"
#include "octavo/memory_estimate.h"

namespace octavo::inspection {

/// The memory of files that are made in full size, and of the text of the page and of inspect.json. The image is valid,
/// its pixels are not read.
MemoryNeed memory_of_files(const Inspector& inspector, const ImageView& image, const InspectionFolderOptions& files);

/// Throws Error(out_of_memory) if the least that the planes and files take is not available, and
/// Error(invalid_argument) for a shape that is none of an image.
void require_memory(const Inspector& inspector, const ImageView& image, const DeviceOptions& device,
                    const InspectionFolderOptions& files);

/// Throws Error(invalid_option) for files that this detector cannot give.
void require_effects(const Inspector& inspector, const InspectionFolderOptions& files);

}  // namespace octavo::inspection
