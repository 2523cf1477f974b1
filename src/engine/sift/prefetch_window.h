#pragma once

#include "engine/core/plane.h"
#include "engine/extract/oriented.h"
#include "engine/sift/descriptor.h"
#include "engine/sift/pooling.h"

namespace octavo {

/// Prefetches the pixels of a window into the cache, some rows at a time. Windows lie scattered over planes far larger
/// than the cache, so the next window is fetched during work on the present one: in small portions, since memory has
/// few requests under way, and those beyond their number hold up the work.
class WindowPrefetch {
 public:
  /// Nothing.
  WindowPrefetch() = default;
  /// The pixels around an extremum, `radius` and one more to each side.
  WindowPrefetch(const Plane& level, const Extremum& e, int radius);
  /// Those of a descriptor's turned square.
  WindowPrefetch(const Plane& level, const Extremum& e, const DescriptorFrame& frame);
  /// Those up to `reach` cells beyond the centre of a window, in both directions of its frame.
  WindowPrefetch(const Plane& level, const WindowFrame& window, float reach);

  /// Fetches some more rows.
  void fetch();
  /// Fetches all that are left.
  void finish() {
    while (y_ < y_end_) fetch();
  }

 private:
  static constexpr int rows_at_once = 4;

  // The columns within half_width of a line: those x where |slope·x + offset| ≤ reach, a row's offset being linear.
  struct Band {
    float half_width = 0, first = 0, per_row = 0;  // the line is in column first + per_row·row
  };
  // The line by_x·(x − centre_x) + by_y·(y − centre_y) = 0.
  static Band band(float by_x, float by_y, float reach, float centre_x, float centre_y);

  const Plane* level_ = nullptr;
  int y_ = 0, y_end_ = 0;
  float last_column_ = 0;
  Band bands_[2];
};

}  // namespace octavo
