#pragma once

#include <cstddef>
#include <span>

#include "engine/core/internal_api.h"
#include "octavo/image_view.h"

namespace octavo {
namespace OCTAVO_INTERNAL_API io {

/// What the numbers of a profile's pixels are.
enum class ProfileColours { rgb, grey, other };

/// Those of an ICC profile; `other` too where its header is damaged.
ProfileColours colours_of_profile(std::span<const std::byte> profile);

/// The image, whose values mean colours by the ICC profile `from`, with the values of these colours by the profile
/// `to`, which is of RGB. An empty profile is sRGB, and so is one of other colours than the image's. Values are in the
/// full range of their type; those of floats may leave it. The result is RGB, with the alpha channel as it is. An image
/// stays as it is if one of the profiles is damaged. Throws Error(out_of_memory).
Image with_profile(Image image, std::span<const std::byte> from, std::span<const std::byte> to);

}  // namespace io
}  // namespace octavo
