// Vectors of 64-bit codes. In a list most groups of vectors have no near code and are passed over with one test.

#include "engine/retrieval/near_codes.h"

#include <bit>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/retrieval/near_codes.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Codes = hn::ScalableTag<std::uint64_t>;
using Numbers = hn::RebindToSigned<Codes>;

HWY_INLINE void add(std::span<const std::uint64_t> codes, std::size_t i, std::uint64_t code,
                    std::vector<NearCode>& near) {
  near.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(std::popcount(codes[i] ^ code))});
}

// Adds the codes of a vector, which begins at code i, whose distances are below the limit.
HWY_INLINE void add_lanes(std::span<const std::uint64_t> codes, std::size_t i, std::uint64_t code,
                          hn::Vec<Numbers> distances, hn::Vec<Numbers> limit, std::vector<NearCode>& near) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(Numbers(), hn::Lt(distances, limit), bytes);
  for (std::uint32_t bits = bytes[0]; bits != 0; bits &= bits - 1) {
    add(codes, i + static_cast<std::size_t>(std::countr_zero(bits)), code, near);
  }
}

void scan(std::span<const std::uint64_t> codes, std::uint64_t code, int max_distance, std::vector<NearCode>& near) {
  const Codes tag;
  const std::size_t lanes = hn::Lanes(tag);
  static_assert(hn::MaxLanes(Codes()) <= 8, "the bits of a mask fit a byte");
  const auto asked = hn::Set(tag, code);
  const auto distances = [&](std::size_t i) {
    return hn::BitCast(Numbers(), hn::PopulationCount(hn::Xor(asked, hn::LoadU(tag, codes.data() + i))));
  };
  const auto limit = hn::Set(Numbers(), max_distance + 1);
  std::size_t i = 0;
  for (; i + 4 * lanes <= codes.size(); i += 4 * lanes) {
    const auto a = distances(i), b = distances(i + lanes), c = distances(i + 2 * lanes), d = distances(i + 3 * lanes);
    if (hn::AllFalse(Numbers(), hn::Lt(hn::Min(hn::Min(a, b), hn::Min(c, d)), limit))) continue;
    add_lanes(codes, i, code, a, limit, near);
    add_lanes(codes, i + lanes, code, b, limit, near);
    add_lanes(codes, i + 2 * lanes, code, c, limit, near);
    add_lanes(codes, i + 3 * lanes, code, d, limit, near);
  }
  for (; i < codes.size(); ++i) {
    if (std::popcount(codes[i] ^ code) <= max_distance) add(codes, i, code, near);
  }
}

// The compiler makes vectors where the instruction set counts the bits of their numbers, and uses its scalar
// instruction elsewhere, which is faster than vectors without one.
void distances_to(const FeatureCode& code, const CodeColumns& codes, std::uint8_t* distances) {
  const std::uint64_t *const low = codes.low.data(), *const high = codes.high.data();
  const std::size_t count = codes.low.size();
  for (std::size_t i = 0; i < count; ++i) {
    distances[i] = static_cast<std::uint8_t>(std::popcount(code[0] ^ low[i]) + std::popcount(code[1] ^ high[i]));
  }
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace octavo {

HWY_EXPORT(scan);
HWY_EXPORT(distances_to);

AddNearCodes add_near_codes(const Isa& isa) { return pick(HWY_DISPATCH_TABLE(scan), isa); }

CodeDistances code_distances(const Isa& isa) { return pick(HWY_DISPATCH_TABLE(distances_to), isa); }

}  // namespace octavo

#endif  // HWY_ONCE
