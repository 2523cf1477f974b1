// Grey of a pixel on a GPU, from samples of any kind. After kernel_primitives.h and pixel_maths.h.

// One sample of 8, 16 or 32 bits, as a float, exactly. Rows need not be aligned. A float outside 0…1 counts as the end
// that is nearer, and what is not a number as 0: pixels that are on the device already are not checked, and no later
// step is defined for such values.
OCTAVO_INLINE float sample_of(const GLOBAL uchar* row, int64_t index, int bytes) {
  const GLOBAL uchar* p = row + index * bytes;
  if (bytes == 1) return to_float(p[0]);
  if (bytes == 2) return to_float(p[0] | p[1] << 8);
  const float value = uint_bits_to_float((uint)p[0] | (uint)p[1] << 8 | (uint)p[2] << 16 | (uint)p[3] << 24);
  return value >= 0.0f ? minimum(value, 1.0f) : 0.0f;
}

// `red_at` is the index of red among the samples of a colour pixel: 0 or 2.
OCTAVO_INLINE float grey_of(const GLOBAL uchar* row, int64_t x, int channels, int red_at, int sample_bytes, float red,
                            float green, float blue, float single) {
  const int64_t i = x * channels;
  if (channels < 3) return sample_of(row, i, sample_bytes) * single;
  return luma_of(sample_of(row, i + red_at, sample_bytes), sample_of(row, i + 1, sample_bytes),
                 sample_of(row, i + 2 - red_at, sample_bytes), red, green, blue);
}
