// The contrast of an image: C = (q99 − q1)/0.8, with the 1st and the 99th percentile of its grey values, so it is about
// 1 if they are spread over 0…1. A few pixels that are darker or lighter than all others do not change it, and a part
// of an image has about the contrast of the whole. The values are counted in a histogram, since sums of whole numbers
// do not depend on the order. Included inside a namespace that has the primitives of scalar_primitives.h, after
// trilateral_layout.h.

/// The ratio of σ_r to the contrast, if σ_r depends on the contrast.
OCTAVO_CONSTANT float contrast_fraction = 0.14f;

/// The bin of a grey value.
OCTAVO_INLINE int_v contrast_bin(float_v grey) {
  const float_v above_zero = if_then_else(less_than(grey, splat(0.0f)), splat(0.0f), grey);
  const float_v clipped = if_then_else(less_than(splat(1.0f), above_zero), splat(1.0f), above_zero);
  return round_to_int(clipped * splat(4095.0f));
}

/// True if the pixels in a bin and in those before it are so few that the percentile lies beyond the bin. Each
/// percentile is the first bin for which this is false.
OCTAVO_INLINE mask_v is_below_first_percentile(int64_t counted, int64_t pixels) { return counted * 100 <= pixels; }
OCTAVO_INLINE mask_v is_below_last_percentile(int64_t counted, int64_t pixels) { return counted * 100 < pixels * 99; }

/// C of the percentiles' bins; 1/(0.8·4095).
OCTAVO_INLINE float_v contrast_between(int_v first, int_v last) {
  return to_float(last - first) * splat(0.00030525030525030525f);
}
