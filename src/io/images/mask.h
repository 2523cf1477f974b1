#pragma once

#include <filesystem>

#include "engine/core/internal_api.h"
#include "octavo/image.h"
#include "octavo/io/image_files.h"

namespace OCTAVO_INTERNAL_API octavo {

/// A mask as Extractor::extract takes it, from an image: u8, one channel, the size of the image, 255 where any
/// colour is not 0, and 0 elsewhere. Alpha does not count. Throws Error(invalid_argument) for an image that cannot be
/// used, Error(out_of_memory).
Image mask_of(const ImageView& image);

/// The options to read a mask with: every value above 0 stays above 0, however small it is beside others.
ReadOptions mask_options(ReadOptions options);

/// The same from a file that read_image reads, with mask_options. Throws what that throws.
Image read_mask(const std::filesystem::path& file, const ReadOptions& options = {});

}  // namespace octavo
