#pragma once

#include "engine/extract/detector.h"

namespace octavo {

/// Acts. If that fails, which may be for want of memory, buffers that wait for other features make room too.
template <class Action>
void guarded(const GpuShare& share, const Action& action) {
  try {
    action();
  } catch (...) {
    share.buffers->clear();
    throw;
  }
}

}  // namespace octavo
