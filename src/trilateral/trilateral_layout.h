// Levels and windows of the trilateral filter, the same for hosts and kernels. Included inside a namespace, after the
// header that spells OCTAVO_CONSTANT.

/// What kernels get by value. A level is how far [pixel] the gradients around a pixel are alike; a window reaches so
/// many pixels to each side of its centre, and holds what lies within the disc around it.
typedef struct TrilateralShape {  // NOLINT(modernize-use-using): kernels are C
  int certified;                  ///< 0: windows double from level to level
  int most_levels;                ///< no level is higher
  int reach;                      ///< [pixel] of the largest window
  int smoothing;                  ///< [pixel] of the window in which gradients are smoothed; 0: they are not
} TrilateralShape;

/// How far the window of a level reaches [pixel].
OCTAVO_INLINE int reach_of_level(int level, int certified, int most) {
  const int reach = certified != 0 ? level : (1 << level) / 2;
  return reach < most ? reach : most;
}
