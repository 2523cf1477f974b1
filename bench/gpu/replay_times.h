// How long a GPU takes for work that was recorded.

#pragma once

#include <memory>
#include <vector>

#include "device/gpu.h"

namespace octavo::bench {

/// Milliseconds by the device's own clock, of `rounds` replays. They stand in the queue one behind the other, so that
/// none waits for the host, and each starts when the one before it is done.
inline std::vector<double> replay_times(GpuQueue& queue, const GpuRecording& work, int rounds) {
  std::vector<std::unique_ptr<GpuEvent>> ends;
  for (int i = 0; i <= rounds; ++i) {  // the first fills the queue
    queue.replay(work);
    ends.push_back(queue.event());
  }
  queue.wait();
  std::vector<double> times;
  for (std::size_t i = 1; i < ends.size(); ++i) times.push_back(ends[i]->milliseconds_since(*ends[i - 1]));
  return times;
}

}  // namespace octavo::bench
