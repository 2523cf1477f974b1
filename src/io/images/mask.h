#pragma once

#include <filesystem>
#include <memory>

#include "engine/core/internal_api.h"
#include "octavo/extractor.h"
#include "octavo/image_view.h"
#include "octavo/io/image_formats.h"

namespace OCTAVO_INTERNAL_API octavo {

struct LoadedImage;  // octavo/batch.h

/// A mask as Extractor::extract takes it, from an image: u8, one channel, the size of the image, 255 where any
/// colour is not 0, and 0 elsewhere. Alpha does not count. Throws Error(invalid_argument) for an image that cannot be
/// used, Error(out_of_memory).
Image mask_of(const ImageView& image);

/// The options to read a mask with: every value above 0 stays above 0, however small it is beside others.
ReadOptions mask_options(ReadOptions options);

/// What alpha hides, as a mask: 0 where it is less than half, 255 elsewhere. Null: the image has no alpha, or it hides
/// nothing. Throws Error(out_of_memory).
std::shared_ptr<const Image> mask_of_alpha(const ImageView& image);

/// Why an image of which mask_of_alpha is the mask may have no keypoints, as the end of a sentence. `is_masked`: its
/// alpha channel is that of `hidden_by`, not its own alone.
std::string why_none_shown(const ImageView& image, bool is_masked);

/// Extractor::extract with mask_of_alpha as the mask.
Features extract_shown(Extractor& extractor, const ImageView& image);

/// An image of a batch, with mask_of_alpha as its mask.
LoadedImage masked(Image image);

/// The image with alpha 0 where the mask, of its size, is 0. An image without alpha gets an opaque one. Throws
/// Error(out_of_memory).
Image hidden_by(const ImageView& image, const ImageView& mask);

}  // namespace octavo
