// The step from sums of votes to bytes (Lowe 2004, §6.1): unit length, values above 0.2 cut, unit length, times 512,
// rounded, at most 255; or RootSIFT of these bytes (Arandjelović and Zisserman 2012, §3: of SIFT as it is stored).
// Rounding small votes to 0 before the roots is useful: their roots would be large, and are mostly noise. Included
// inside a namespace that has bytes_maths.h: the namespace of the reference, and of each instruction set, whose
// compiler vectorises the loops over partial sums.

inline constexpr int descriptor_values = 128;
inline constexpr int partial_sums = 32;

// Sum of 128 terms in the canonical order: 32 interleaved partial sums, then a tree. add_to(sum, i) adds term i.
template <class Add>
inline float_v canonical_sum(const Add& add_to) {
  float_v sum[partial_sums] = {};
  for (int first = 0; first < descriptor_values; first += partial_sums) {
    for (int i = 0; i < partial_sums; ++i) sum[i] = add_to(sum[i], first + i);
  }
  for (int half = partial_sums / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) sum[i] += sum[i + half];
  }
  return sum[0];
}

// Makes the values 512 long and rounds them.
inline void finish_values(const float_v* value, DescriptorKind kind, std::uint8_t* out) {
  const float_v factor = sift_factor(canonical_sum([&](float_v sum, int i) { return fma(value[i], value[i], sum); }));
  int_v sum = 0;
  for (int i = 0; i < descriptor_values; ++i) {
    out[i] = static_cast<std::uint8_t>(byte_of(value[i] * factor));
    sum += out[i];
  }
  if (kind == DescriptorKind::sift) return;
  for (int i = 0; i < descriptor_values; ++i) out[i] = static_cast<std::uint8_t>(root_of_byte(out[i], sum));
}

inline void finish_descriptor(const std::int32_t* histogram, DescriptorKind kind, std::uint8_t* out) {
  float_v value[descriptor_values];
  for (int i = 0; i < descriptor_values; ++i) value[i] = to_float(histogram[i]);
  const auto square = [&](float_v sum, int i) { return fma(value[i], value[i], sum); };
  const float_v limit = longest_value(canonical_sum(square));
  for (float_v& v : value) v = minimum(v, limit);
  finish_values(value, kind, out);
}

// The sums of the bytes of several descriptors become their mean, at length 512 again.
inline void finish_pooled(const std::int32_t* sums, DescriptorKind kind, std::uint8_t* out) {
  float_v value[descriptor_values];
  for (int i = 0; i < descriptor_values; ++i) value[i] = to_float(sums[i]);
  finish_values(value, kind, out);
}
