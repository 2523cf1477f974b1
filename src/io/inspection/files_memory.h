// The memory that the files of an inspection take.

#pragma once

#include "engine/inspect/inspector.h"
#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/io/inspection_folder.h"

namespace octavo::inspection {

/// The memory of files that are made in full size, and of the text of the page and of inspect.json. The image is valid,
/// its pixels are not read.
MemoryNeed memory_of_files(const Inspector& inspector, const ImageView& image, const InspectionFolderOptions& files);

}  // namespace octavo::inspection
