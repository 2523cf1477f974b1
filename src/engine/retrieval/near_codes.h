#pragma once

// Codes compared with many others: those of a list that are near, and the distances from a feature to all of a frame.
// An instruction set is chosen for each (device/cpu_isa.h); all give the same.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/device/cpu_isa.h"
#include "octavo/api.h"
#include "octavo/retrieval.h"

namespace OCTAVO_INTERNAL_API octavo {

/// A code of a list that is near.
struct NearCode {
  std::uint32_t place = 0;     ///< its index in the list
  std::uint32_t distance = 0;  ///< [bit]
  friend bool operator==(const NearCode&, const NearCode&) = default;
};

/// Adds the codes that differ from `code` in at most `max_distance` bits to `near`, by ascending place. `codes` are
/// fewer than 2^32.
using AddNearCodes = void (*)(std::span<const std::uint64_t> codes, std::uint64_t code, int max_distance,
                              std::vector<NearCode>& near);

AddNearCodes add_near_codes(const Isa& isa);

/// The halves of codes in columns, for vectors.
struct CodeColumns {
  std::vector<std::uint64_t> low, high;  ///< equally many
};

/// Writes the distances of `code` to all codes [bit], one byte each.
using CodeDistances = void (*)(const FeatureCode& code, const CodeColumns& codes, std::uint8_t* distances);

CodeDistances code_distances(const Isa& isa);

}  // namespace octavo
