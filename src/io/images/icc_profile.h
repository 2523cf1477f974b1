#pragma once

#include <cstddef>
#include <span>

#include "engine/core/internal_api.h"

namespace octavo {
namespace OCTAVO_INTERNAL_API io {

/// What the numbers of a profile's pixels are.
enum class ProfileColours { rgb, grey, other };

/// Those of an ICC profile; `other` too where its header is damaged.
ProfileColours colours_of_profile(std::span<const std::byte> profile);

}  // namespace io
}  // namespace octavo
