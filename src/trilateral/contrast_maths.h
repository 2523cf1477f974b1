// The contrast of an image: C = (q99 − q1)/0.8, the 1st and the 99th percentile of its grey values, so that it is about
// 1 where they are spread over 0…1. A few pixels that are darker or lighter than all others change nothing, and the
// values of a part of an image are spread like those of the whole. Counted in a histogram, since whole numbers add up
// to the same in any order. Included inside a namespace that has the words of scalar_words.h.

OCTAVO_CONSTANT int contrast_bins = 4096;
/// σ_r in contrasts, where that is what it follows.
OCTAVO_CONSTANT float contrast_fraction = 0.14f;

/// Where a grey value is counted.
OCTAVO_INLINE integer contrast_bin(real grey) {
  const real above_zero = choose(less(grey, constant(0.0f)), constant(0.0f), grey);
  const real clipped = choose(less(constant(1.0f), above_zero), constant(1.0f), above_zero);
  return nearest(clipped * constant(4095.0f));
}

/// Whether of all pixels so few lie in a bin and those before it that the percentile lies beyond: both percentiles are
/// the first bin of which that is not true.
OCTAVO_INLINE truth is_below_first_percentile(wide counted, wide pixels) { return counted * 100 <= pixels; }
OCTAVO_INLINE truth is_below_last_percentile(wide counted, wide pixels) { return counted * 100 < pixels * 99; }

/// C of the percentiles' bins; 1/(0.8·4095).
OCTAVO_INLINE real contrast_between(integer first, integer last) {
  return to_real(last - first) * constant(0.00030525030525030525f);
}
