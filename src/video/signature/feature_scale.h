#pragma once

// The scale of a feature in a byte: b = round(16·(log₂ σ + 1)), so σ = 2^(b/16 − 1), from 0.5 to 31 380 pixels in steps
// of 4.4 %. The limits between two bytes come from square roots, which are rounded in the same way on all machines,
// unlike logarithms.

#include <cstdint>

namespace octavo {

/// The byte of a scale [pixel]. Scales out of the range get the nearest byte.
std::uint8_t byte_of_scale(float scale);

}  // namespace octavo
