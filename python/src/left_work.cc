#include "left_work.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#if defined(__GLIBC__)
#include <unistd.h>
#endif

namespace nb = nanobind;

namespace octavo::python::of_left_work {

namespace {

std::atomic<int> at_work = 0;

#if defined(__GLIBC__)
// The end of a process destroys what libraries keep, which left work still uses. This comes before. Other libraries of
// C do not tell the status with which a process ends.
void end_without_destruction(int status, void*) {
  if (at_work.load() == 0) return;
  std::fflush(nullptr);
  _exit(status);
}

void end_soon() {
  static std::once_flag is_registered;
  std::call_once(is_registered, [] { on_exit(&end_without_destruction, nullptr); });
}
#else
void end_soon() {}
#endif

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
    end_soon();
    throw nb::python_error();
  }
}

}  // namespace octavo::python::of_left_work
