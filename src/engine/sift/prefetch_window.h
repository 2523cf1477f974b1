#pragma once

#include "engine/core/plane.h"
#include "engine/extract/oriented.h"
#include "engine/sift/pooling.h"

namespace octavo {

/// Prefetches the pixels around an extremum into the cache, `radius` and one more to each side. Windows lie scattered
/// over planes far larger than the cache, so the next window is fetched during work on the present one.
void prefetch_window(const Plane& level, const Extremum& e, int radius);
void prefetch_window(const Plane& level, const WindowFrame& window);

}  // namespace octavo
