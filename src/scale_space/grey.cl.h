// Grey of a pixel on a GPU, from samples of any kind. After kernel_words.h and pixel_maths.h.

// One sample of 8, 16 or 32 bits, as a float, exactly. Rows need not be aligned.
OCTAVO_INLINE real sample_of(const GLOBAL octet* row, wide index, integer bytes) {
  const GLOBAL octet* p = row + index * bytes;
  if (bytes == 1) return to_real(p[0]);
  if (bytes == 2) return to_real(p[0] | p[1] << 8);
  return bits_to_real((word)p[0] | (word)p[1] << 8 | (word)p[2] << 16 | (word)p[3] << 24);
}

OCTAVO_INLINE real grey_of(const GLOBAL octet* row, wide x, integer channels, integer sample_bytes, real red,
                           real green, real blue, real single) {
  const wide i = x * channels;
  if (channels < 3) return sample_of(row, i, sample_bytes) * single;
  return luma_of(sample_of(row, i, sample_bytes), sample_of(row, i + 1, sample_bytes),
                 sample_of(row, i + 2, sample_bytes), red, green, blue);
}
