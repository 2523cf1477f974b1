// The memory of an inspection's own planes and lists, which are in memory after the extraction.

#pragma once

#include "octavo/device.h"
#include "octavo/image.h"
#include "octavo/inspection_folder.h"
#include "octavo/memory_estimate.h"
#include "octavo/sift_options.h"

namespace octavo::inspection {

/// The memory of `inspect` after the extraction, with its features. The image is valid, its pixels are not read.
MemoryNeed memory_of_planes(const ImageView& image, const SiftOptions& options, const DeviceOptions& device);

/// The memory of files that are made in full size, and of the text of the page and of inspect.json.
MemoryNeed memory_of_files(const ImageView& image, const SiftOptions& options, const InspectionFolderOptions& files);

/// Throws Error(out_of_memory) if the least that the planes and files take is not available, Error(invalid_option), and
/// Error(invalid_argument) for a shape that is none of an image.
void require_memory(const ImageView& image, const SiftOptions& options, const DeviceOptions& device,
                    const InspectionFolderOptions& files);

}  // namespace octavo::inspection
