#include "left_work.h"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace nb = nanobind;

namespace octavo::python::of_left_work {

namespace {

std::atomic<int> at_work = 0;

// The end of a process destroys what libraries keep, which left work still uses. This comes before.
void end_without_destruction(int status, void*) {
  if (at_work.load() == 0) return;
  std::fflush(nullptr);
  _exit(status);
}

}  // namespace

void begin(std::function<void()> work) {
  ++at_work;
  try {
    std::thread([work = std::move(work)]() mutable {
      work();
      work = nullptr;
      --at_work;
    }).detach();
  } catch (...) {
    --at_work;
    throw;
  }
}

void wait(const std::function<bool()>& is_done) {
  for (;;) {
    {
      const WithoutGil release;
      if (is_done()) return;
    }
    if (PyErr_CheckSignals() == 0) continue;
    static std::once_flag is_registered;
    std::call_once(is_registered, [] { on_exit(&end_without_destruction, nullptr); });
    throw nb::python_error();
  }
}

}  // namespace octavo::python::of_left_work
