// The scale spaces of two engines of SIFT, byte by byte.

#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <string>

#include "engine/sift/engine.h"

namespace octavo {

/// Fails, with `what` and the place, at the first row of the first `octaves` octaves with `levels` images each that
/// differs. Both engines have detected the same image.
inline void expect_same_levels(SiftEngine& found, SiftEngine& expected, std::size_t octaves, int levels,
                               const std::string& what) {
  for (std::size_t o = 0; o < octaves; ++o) {
    for (int level = 0; level < levels; ++level) {
      const Plane &a = found.level(static_cast<int>(o), level), &b = expected.level(static_cast<int>(o), level);
      ASSERT_EQ(a.width(), b.width()) << what;
      const std::size_t row_bytes = sizeof(float) * static_cast<std::size_t>(b.width());
      for (int y = 0; y < b.height(); ++y) {
        ASSERT_EQ(std::memcmp(a.row(y), b.row(y), row_bytes), 0)
            << what << ", octave " << o << ", level " << level << ", row " << y;
      }
    }
  }
}

}  // namespace octavo
