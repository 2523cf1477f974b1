// The index of a pixel mirrored into an image, as plan.h defines it, for GPU kernels.

OCTAVO_INLINE int mirrored(int i, int n) {
  if (n == 1) return 0;
  while (i < 0 || i >= n) i = i < 0 ? -i : 2 * (n - 1) - i;
  return i;
}
