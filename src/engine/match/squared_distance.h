// One descriptor against a list of others, for pairs that are too few and too scattered for blocks (nearest_block.h).

#pragma once

#include <cstdint>
#include <span>

#include "engine/device/cpu_isa.h"

namespace octavo {

/// distance2[i] = |a − row candidates[i] of b|², 128 bytes each.
using SquaredDistances = void (*)(const std::uint8_t* a, const std::uint8_t* b,
                                  std::span<const std::int32_t> candidates, std::uint32_t* distance2);

SquaredDistances squared_distances(const Isa& isa);

}  // namespace octavo
