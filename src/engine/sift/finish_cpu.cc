// The bytes of descriptors from their sums, on the CPU.

#include "engine/sift/windows_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/sift/finish_cpu.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// The two includes above must come first.
#include "engine/maths/per_isa.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

namespace scalar {
#include "engine/sift/bytes_maths.h"
#include "engine/sift/descriptor_finish.h"
}  // namespace scalar

void finish_descriptor(const DescriptorHistogram& histogram, DescriptorKind kind, std::uint8_t* out) {
  scalar::finish_descriptor(histogram.data(), kind, out);
}

void finish_pooled(const PooledBytes& sums, DescriptorKind kind, std::uint8_t* out) {
  scalar::finish_pooled(sums.data(), kind, out);
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace octavo {

HWY_EXPORT(finish_descriptor);
HWY_EXPORT(finish_pooled);

void WindowsCpu::finish_descriptor(const DescriptorHistogram& histogram, DescriptorKind kind, std::uint8_t* out) const {
  pick(HWY_DISPATCH_TABLE(finish_descriptor), isa_)(histogram, kind, out);
}

void WindowsCpu::finish_pooled(const PooledBytes& sums, DescriptorKind kind, std::uint8_t* out) const {
  pick(HWY_DISPATCH_TABLE(finish_pooled), isa_)(sums, kind, out);
}

}  // namespace octavo
#endif
