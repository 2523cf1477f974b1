#pragma once

#include <chrono>

#include "engine/core/internal_api.h"

namespace OCTAVO_INTERNAL_API octavo {

/// Wall time since it was made.
class Stopwatch {
 public:
  [[nodiscard]] double milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace octavo
