// Work on a queue whose memory ends with the call: that of the caller, of a local variable, of a buffer that is made
// anew. An error must not leave behind work that still reads or writes it.

#pragma once

#include "engine/device/gpu.h"

namespace octavo {

/// Waits for the work and drops its error: for destructors, and after an earlier error.
inline void wait_for_whatever_runs(GpuQueue& queue) noexcept {
  try {
    queue.wait();
  } catch (...) {  // NOLINT(bugprone-empty-catch): the first error is the one to report
  }
}

/// Does enqueued work and waits for it, also after an error.
template <class Work>
void run_and_wait(GpuQueue& queue, const Work& work) try {
  work();
  queue.wait();
} catch (...) {
  wait_for_whatever_runs(queue);
  throw;
}

}  // namespace octavo
