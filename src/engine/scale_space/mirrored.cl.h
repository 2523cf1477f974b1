// The index of a pixel mirrored into an image, as plan.h defines it, for GPU kernels.

OCTAVO_INLINE int mirrored(int i, int n) {
  if (n == 1) return 0;
  while (i < 0 || i >= n) i = i < 0 ? -i : 2 * (n - 1) - i;
  return i;
}

/// The same of the last pixels repeated, if `repeats` is 1.
OCTAVO_INLINE int pixel_read_at(int i, int n, int repeats) {
  if (repeats == 0) return mirrored(i, n);
  return i < 0 ? 0 : i < n ? i : n - 1;
}
