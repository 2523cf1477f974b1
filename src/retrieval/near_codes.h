#pragma once

// The scan of a list: which of its codes are near a code of a query.

#include <cstdint>
#include <span>
#include <vector>

namespace octavo {

/// A code of a list that is near.
struct NearCode {
  std::uint32_t place = 0;     ///< its index in the list
  std::uint32_t distance = 0;  ///< [bit]
  friend bool operator==(const NearCode&, const NearCode&) = default;
};

/// Adds the codes that differ from `code` in at most `max_distance` bits to `near`, by ascending place. The same on
/// every machine. `codes` are fewer than 2^32.
void add_near_codes(std::span<const std::uint64_t> codes, std::uint64_t code, int max_distance,
                    std::vector<NearCode>& near);

}  // namespace octavo
