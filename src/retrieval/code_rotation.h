#pragma once

// The rotation of the space of descriptors whose axes give the bits of codes: each number of the descriptor gets a
// fixed sign, then the Walsh–Hadamard transform mixes all of them (Ailon and Chazelle 2009 call it a fast
// Johnson–Lindenstrauss transform). Up to its length √128 it is orthogonal. It is exact in integers: |y| ≤ 128·255.

#include <array>
#include <cstdint>
#include <span>

#include "octavo/keypoint.h"

namespace octavo {

using RotatedDescriptor = std::array<std::int32_t, descriptor_length>;

/// Rotates a descriptor.
RotatedDescriptor rotate(std::span<const std::uint8_t, descriptor_length> descriptor);

}  // namespace octavo
