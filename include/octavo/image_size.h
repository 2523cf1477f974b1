#pragma once

namespace octavo {

struct ImageSize {
  int width = 0;   ///< [pixel]
  int height = 0;  ///< [pixel]
  friend bool operator==(const ImageSize&, const ImageSize&) = default;
};

}  // namespace octavo
