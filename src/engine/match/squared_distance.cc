#include "engine/match/squared_distance.h"

#include "octavo/keypoint.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/match/squared_distance.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void Distances(const std::uint8_t* HWY_RESTRICT a, const std::uint8_t* HWY_RESTRICT b,
               std::span<const std::int32_t> candidates, std::uint32_t* HWY_RESTRICT distance2) {
  const hn::ScalableTag<std::int32_t> sums;
  const hn::Rebind<std::uint8_t, decltype(sums)> bytes;
  for (const std::int32_t candidate : candidates) {
    const std::uint8_t* other = b + static_cast<std::size_t>(candidate) * descriptor_length;
    auto sum = hn::Zero(sums);
    for (std::size_t k = 0; k < descriptor_length; k += hn::Lanes(bytes)) {
      const auto d =
          hn::Sub(hn::PromoteTo(sums, hn::LoadU(bytes, a + k)), hn::PromoteTo(sums, hn::LoadU(bytes, other + k)));
      sum = hn::Add(sum, hn::Mul(d, d));
    }
    *distance2++ = static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(sums, sum)));
  }
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace octavo {

HWY_EXPORT(Distances);

SquaredDistances squared_distances(const Isa& isa) { return pick(HWY_DISPATCH_TABLE(Distances), isa); }

}  // namespace octavo
#endif
