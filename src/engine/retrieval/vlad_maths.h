// The numbers of a VLAD (vlad.cc has the formula and its bounds), for the host and for kernels. Included inside a
// namespace that has the primitives of scalar_primitives.h.

/// ⌊√x⌋ for 0 ≤ x < 2^62, bit by bit.
OCTAVO_INLINE int64_t integer_root(int64_t x) {
  int64_t root = 0;
  for (int bit = 30; bit >= 0; --bit) {
    const int64_t next = root | (int64_t)1 << bit;
    if (next * next <= x) root = next;
  }
  return root;
}

/// The least e with q·2^(2e) ≥ 2^60, for q > 0.
OCTAVO_INLINE int vlad_shift(int64_t q) {
  int shift = 0;
  while (q >> (60 - 2 * shift) == 0) ++shift;
  return shift;
}

/// F, for m words with q > 0.
OCTAVO_INLINE int64_t vlad_factor(int m) { return integer_root(((int64_t)1 << 60) / m); }

/// The number of a block for r_j = r, e = shift, N = length and F = factor.
OCTAVO_INLINE int vlad_number(int r, int shift, int64_t length, int64_t factor) {
  const int64_t magnitude = (int64_t)(r < 0 ? -r : r) << shift;
  const int rounded = (int)((magnitude * factor + (length << 15)) / (length << 16));
  return r < 0 ? -rounded : rounded;
}
