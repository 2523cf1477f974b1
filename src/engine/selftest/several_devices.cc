// Tests of several devices share the processors: the reference and the portable instruction set run on one thread for
// most of the time.

#include <algorithm>
#include <atomic>
#include <future>
#include <system_error>
#include <thread>

#include "octavo/selftest.h"

namespace octavo {
namespace {

std::string name_of(const DeviceOptions& device) {
  return device.isa == "auto" ? device.name : device.name + " " + device.isa;
}

}  // namespace

void selftest(std::span<const DeviceOptions> devices, const DeviceTested& tested, const ProgressSink& progress) {
  const std::size_t count = devices.size();
  std::vector<std::promise<std::vector<SelftestResult>>> promised(count);
  std::atomic<std::size_t> begun = 0, done = 0;
  std::atomic<bool> given_up = false;
  const auto work = [&] {
    for (std::size_t n = begun++; n < count && !given_up; n = begun++) {
      const std::size_t i = count - 1 - n;
      report(progress, name_of(devices[i]), done, count);
      try {
        promised[i].set_value(selftest(devices[i]));
      } catch (...) {
        promised[i].set_exception(std::current_exception());
      }
      ++done;
    }
  };
  std::vector<std::jthread> workers;
  const std::size_t processors = std::max(std::thread::hardware_concurrency(), 1u);
  for (std::size_t i = 0; i < std::min(processors, count); ++i) {
    try {
      workers.emplace_back(work);
    } catch (const std::system_error&) {  // the system gives no more threads
      break;
    }
  }
  if (workers.empty()) work();
  try {
    for (std::size_t i = 0; i < count; ++i) tested(devices[i], promised[i].get_future().get());
  } catch (...) {
    given_up = true;
    throw;
  }
}

}  // namespace octavo
