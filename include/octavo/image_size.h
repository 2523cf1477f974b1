#pragma once

#include "octavo/api.h"

namespace OCTAVO_API octavo {

struct ImageSize {
  int width = 0;   ///< [pixel]
  int height = 0;  ///< [pixel]
  friend bool operator==(const ImageSize&, const ImageSize&) = default;
};

}  // namespace octavo
