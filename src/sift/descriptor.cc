#include "sift/descriptor.h"

#include <algorithm>

#include "maths/scalar.h"

namespace octavo {

using namespace maths;

DescriptorFrame descriptor_frame(const Oriented& keypoint) {
  const real cell = 3.0f * keypoint.scale;
  return {.radius = nearest(cell * 3.5355339059327378f),  // √2·(4 + 1)/2 cells
          .cosine = cosine_of_turns(keypoint.turns) / cell,
          .sine = sine_of_turns(keypoint.turns) / cell,
          .deviation = 2.0f * cell};
}

namespace {

constexpr int partial_sums = 32;

// Sum of term(i) over 128 values in the canonical order: 32 interleaved partial sums, then a tree.
template <class Add>
real canonical_sum(const Add& add_to) {
  std::array<real, partial_sums> sum{};
  for (int i = 0; i < static_cast<int>(descriptor_length); ++i)
    sum[i % partial_sums] = add_to(sum[i % partial_sums], i);
  for (int half = partial_sums / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) sum[i] += sum[i + half];
  }
  return sum[0];
}

std::uint8_t byte_of(real x) { return static_cast<std::uint8_t>(std::min(nearest(x), 255)); }

}  // namespace

void finish_descriptor(const DescriptorHistogram& histogram, DescriptorKind kind, std::uint8_t* out) {
  constexpr real nothing = 1e-20f;  // keeps 0/0 away
  std::array<real, descriptor_length> value;
  for (std::size_t i = 0; i < descriptor_length; ++i) value[i] = to_real(histogram[i]);
  const auto length = [&] {
    return square_root(canonical_sum([&](real sum, int i) { return fused(value[i], value[i], sum); }));
  };
  const real limit = 0.2f * length();
  for (real& v : value) v = minimum(v, limit);

  if (kind == DescriptorKind::sift) {
    const real factor = 512.0f / maximum(length(), nothing);
    for (std::size_t i = 0; i < descriptor_length; ++i) out[i] = byte_of(value[i] * factor);
  } else {
    const real total = canonical_sum([&](real sum, int i) { return sum + value[i]; });
    const real factor = 262144.0f / maximum(total, nothing);  // 512²
    for (std::size_t i = 0; i < descriptor_length; ++i) out[i] = byte_of(square_root(value[i] * factor));
  }
}

}  // namespace octavo
