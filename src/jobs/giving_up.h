#pragma once

#include <thread>

#include "octavo/progress.h"

namespace octavo::jobs {

/// Leaves the item in work where a stop is requested. It is no std::exception, so it is not taken for the failure of
/// the item.
struct GivenUp {};

/// The progress of a job's devices, which gives up the work of the thread that calls this once a stop is requested:
/// an item may take minutes on a slow device. The job catches GivenUp and keeps what is done.
inline ProgressSink giving_up(const JobContext& context) {
  return [tell = context.progress, stop = context.stop, job = std::this_thread::get_id()](const ProgressStep& step) {
    if (tell) tell(step);
    if (stop.stop_requested() && std::this_thread::get_id() == job) throw GivenUp();
  };
}

}  // namespace octavo::jobs
