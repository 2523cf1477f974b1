// Times recorded work on a GPU.

#pragma once

#include <memory>
#include <vector>

#include "engine/device/gpu.h"

namespace octavo::bench {

/// The milliseconds of each of `rounds` replays, by the device's own clock. All replays are enqueued together, so that
/// none waits for the host. Each starts when the one before it is done.
inline std::vector<double> replay_times(GpuQueue& queue, const GpuRecording& work, int rounds) {
  std::vector<std::unique_ptr<GpuEvent>> ends;
  for (int i = 0; i <= rounds; ++i) {  // replay 0 fills the queue and is not timed
    queue.replay(work);
    ends.push_back(queue.event());
  }
  queue.wait();
  std::vector<double> times;
  for (std::size_t i = 1; i < ends.size(); ++i) times.push_back(ends[i]->milliseconds_since(*ends[i - 1]));
  return times;
}

}  // namespace octavo::bench
