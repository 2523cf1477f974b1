// Work that cannot be stopped, such as that of a library of others. It runs on a thread of its own, and Ctrl-C leaves
// it there: the call ends at once, and the thread when it is done, or with the process. So the work owns all that it
// works on, and has no effect but its result.

#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "gil.h"
#include "main_thread.h"

namespace octavo::python {

namespace of_left_work {

/// Runs the work on a thread of its own, which does not hold the GIL. No call waits for the end of this thread.
void begin(std::function<void()> work);

/// Waits until `is_done` is true; each of its calls waits up to 50 ms. Raises what the handler of a signal raises. From
/// then on the process can end while the work goes on, and does not free what the work uses.
void wait(const std::function<bool()>& is_done);

}  // namespace of_left_work

/// What `work()` gives. It is called without the GIL, and holds no object of Python. A handler of a signal that raises
/// requests a stop. Threads on which Python runs no handlers do the work themselves.
template <class Work>
auto run_or_leave(Work work, std::stop_source stop = std::stop_source(std::nostopstate)) {
  using Result = std::invoke_result_t<Work&>;
  if (!is_main_thread()) {
    const WithoutGil release;
    return work();
  }
  const auto task = std::make_shared<std::packaged_task<Result()>>(std::move(work));
  std::future<Result> result = task->get_future();
  of_left_work::begin([task] { (*task)(); });
  try {
    of_left_work::wait([&] { return result.wait_for(std::chrono::milliseconds(50)) == std::future_status::ready; });
  } catch (...) {
    stop.request_stop();
    throw;
  }
  return result.get();
}

}  // namespace octavo::python
