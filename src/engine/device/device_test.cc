// Devices and instruction sets are found by name; parallel loops visit every index once, also when they are nested.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "engine/device/cpu_isa.h"
#include "engine/device/cpu_pool.h"
#include "engine/device/registry.h"
#include "octavo/error.h"

namespace octavo {
namespace {

bool lists_any(const std::string& kind) {
  const std::vector<Device> devices = list_devices();
  return std::any_of(devices.begin(), devices.end(), [&](const Device& d) { return d.kind == kind; });
}

TEST(Registry, KnowsTheCpuAndTheReference) {
  const std::vector<Device> devices = list_devices();
  ASSERT_GE(devices.size(), 2u);
  for (const Device& d : devices) EXPECT_EQ(resolve_device({.name = d.name}).name(), d.name);
  EXPECT_EQ(resolve_device({.name = "cpu"}).kind, DeviceKind::cpu);
  EXPECT_EQ(resolve_device({.name = "reference"}).kind, DeviceKind::reference);
  for (const Device& d : devices) EXPECT_EQ(d.isas.empty(), d.name != "cpu");
}

TEST(Registry, AutoIsTheFirstDeviceAndNothingIsAgainstIt) {
  const std::vector<Device> devices = list_devices();
  EXPECT_EQ(resolve_device({}).name(), devices.front().name);
  EXPECT_TRUE(devices.front().conformant);
  EXPECT_EQ(devices.front().note, "");
  for (const Device& d : devices) EXPECT_TRUE(d.conformant || !d.note.empty()) << d.name;
}

std::string refusal(const std::string& name) {
  try {
    resolve_device({.name = name});
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::device_unavailable);
    return e.what();
  }
  return "none";
}

TEST(Registry, SaysWhyADeviceIsNotThere) {
  for (const std::string name : {"", "abacus", "cuda", "cuda:", "cuda:x", "cuda:-1", "cuda:0 ", "opencl:99999999999"}) {
    EXPECT_TRUE(refusal(name).starts_with("device is \"" + name + "\", but this machine has auto, ")) << refusal(name);
  }
  for (const std::string prefix : {"cuda", "opencl"}) {
    const std::string reason = lists_any(prefix) ? "this machine has " + prefix + ":0" : " is unavailable: ";
    EXPECT_NE(refusal(prefix + ":99").find(reason), std::string::npos) << refusal(prefix + ":99");
  }
}

TEST(Registry, SeveralGpusStandBetweenCommas) {
  for (const std::string prefix : {"cuda", "opencl"}) {
    if (!lists_any(prefix)) {
      EXPECT_NE(refusal(prefix + ":all").find(" is unavailable: "), std::string::npos) << refusal(prefix + ":all");
      continue;
    }
    const std::string first = prefix + ":0";
    std::vector<std::string> names;
    for (const ResolvedDevice& device : resolve_devices({.name = first + "," + first})) names.push_back(device.name());
    EXPECT_EQ(names, (std::vector<std::string>{first, first}));
    EXPECT_EQ(resolve_device({.name = first + "," + first}).name(), first);
    EXPECT_NE(refusal(first + "," + prefix + ":99").find("only"), std::string::npos);

    // A CPU that OpenCL offers counts only where OpenCL offers no GPU.
    std::vector<std::string> automatic, conformant;
    for (const Device& d : list_devices()) {
      if (d.kind == prefix && d.conformant) (d.note.empty() ? automatic : conformant).push_back(d.name);
    }
    if (!automatic.empty()) conformant = automatic;
    names.clear();
    for (const ResolvedDevice& device : resolve_devices({.name = prefix + ":all"})) names.push_back(device.name());
    EXPECT_TRUE(std::is_permutation(names.begin(), names.end(), conformant.begin(), conformant.end()));
  }
  for (const std::string name : {",cuda:0", ","}) {
    EXPECT_EQ(refusal(name), "device is \"" + name + "\", but must have a device before and after each comma");
  }
  for (const std::string other : {"cpu", "auto", "reference", "abacus"}) {
    for (const std::string& name : {other + ",cuda:0", other + "," + other}) {
      const std::string expected = "device is \"" + name + "\", but only GPUs can be named together, and \"" + other;
      EXPECT_TRUE(refusal(name).starts_with(expected)) << refusal(name);
    }
  }
  EXPECT_EQ(resolve_devices({.name = "cpu"}).size(), 1u);
}

TEST(Registry, ADriverOffersDevicesOrSaysWhyNot) {
  const std::vector<MissingDriver> missing = missing_drivers();
  for (const MissingDriver& m : missing) EXPECT_NE(m.reason, "");
  EXPECT_EQ(missing.size() + (lists_any("cuda") ? 1u : 0u) + (lists_any("opencl") ? 1u : 0u), 2u);
}

TEST(ResolvedDevice, KeepsWhatWasAskedFor) {
  const std::string portable = supported_isas().back().name;
  const ResolvedDevice cpu = resolve_device({.name = "cpu", .threads = 3, .isa = portable});
  EXPECT_EQ(cpu.isa_name(), portable);
  EXPECT_EQ(cpu.threads(), CpuPool(3).threads());
  const ResolvedDevice reference = resolve_device({.name = "reference", .threads = 3});
  EXPECT_EQ(reference.isa_name(), "scalar");
  EXPECT_EQ(reference.threads(), 1);
  for (const Device& d : list_devices()) {
    const ResolvedDevice device = resolve_device({.name = d.name, .gpu_memory = 1 << 20});
    EXPECT_EQ(device.is_gpu(), d.kind == "cuda" || d.kind == "opencl") << d.name;
    if (!device.is_gpu()) continue;
    EXPECT_EQ(device.isa_name(), d.kind);
    EXPECT_EQ(device.open_gpu()->facts().name, d.name);
    EXPECT_THROW((void)device.open_gpu()->allocate(2 << 20), Error) << d.name;
  }
}

TEST(ResolvedDevice, AWrongInstructionSetOrNumberOfThreadsIsAnErrorOnEveryDevice) {
  for (const Device& d : list_devices()) {
    EXPECT_THROW(resolve_device({.name = d.name, .isa = "avx1024"}), Error) << d.name;
    EXPECT_THROW(resolve_device({.name = d.name, .threads = -1}), Error) << d.name;
    EXPECT_THROW(resolve_device({.name = d.name, .threads = 1025}), Error) << d.name;
  }
}

TEST(Isa, EveryListedOneIsFoundAndOthersAreRefused) {
  for (const Isa& isa : supported_isas()) EXPECT_EQ(find_isa(isa.name).target, isa.target);
  EXPECT_EQ(find_isa("auto").target, supported_isas().front().target);
  EXPECT_EQ(supported_isas().back().name, "portable");
  EXPECT_THROW(find_isa("avx1024"), Error);
}

TEST(CpuPool, VisitsEveryIndexOnce) {
  const tbb::global_control seven(tbb::global_control::max_allowed_parallelism, 7);
  for (int threads : {0, 1, 2, 7}) {
    CpuPool pool(threads);
    std::vector<std::atomic<int>> visits(1000);
    std::vector<std::atomic<int>> busy(static_cast<std::size_t>(pool.threads()));
    std::atomic<int> clashes = 0;
    pool.parallel_for(1000, [&](int i, int worker) {
      if (busy.at(static_cast<std::size_t>(worker)).exchange(1) != 0) ++clashes;
      ++visits[static_cast<std::size_t>(i)];
      busy[static_cast<std::size_t>(worker)] = 0;
    });
    for (auto& v : visits) ASSERT_EQ(v, 1);
    EXPECT_EQ(clashes, 0);
  }
  EXPECT_THROW(CpuPool(-1), Error);
  EXPECT_THROW(CpuPool(1025), Error);
}

TEST(CpuPool, TellsTheProgressOfItsLoops) {
  for (const int threads : {0, 1, 2}) {
    std::vector<ProgressStep> steps;
    const std::thread::id caller = std::this_thread::get_id();
    CpuPool pool(threads, [&](const ProgressStep& step) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      EXPECT_EQ(step.stage, "squares");
      steps.push_back(step);
    });
    pool.stage("squares");
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_EQ(steps[0].total, 0u);
    std::atomic<int> sum = 0;
    pool.parallel_for(1000, [&](int i, int) { sum += i; });
    EXPECT_EQ(sum, 499500);
    EXPECT_LE(steps.size(), 101u);
    for (std::size_t i = 1; i < steps.size(); ++i) {
      EXPECT_EQ(steps[i].total, 1000u);
      EXPECT_GT(steps[i].done, steps[i - 1].done);
      EXPECT_LE(steps[i].done, 1000u);
    }
    if (threads == 1) {
      EXPECT_EQ(steps.back().done, 1000u);
    }
  }
}

TEST(CpuPool, APieceThatTakesLongCanBeGivenUp) {
  struct Enough {};
  const auto busy = [](int, int) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    while (std::chrono::steady_clock::now() < end) CpuPool::tell_again();
  };
  for (const auto& [threads, pieces] : {std::pair(1, 1), std::pair(1, 2), std::pair(2, 8)}) {
    int told = 0;
    CpuPool pool(threads, [&](const ProgressStep& step) {
      EXPECT_EQ(step.done, 0u);
      if (++told == 3) throw Enough();
    });
    pool.stage("long");
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_THROW(pool.parallel_for(pieces, busy), Enough);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
    EXPECT_EQ(told, 3);
  }
  CpuPool::tell_again();  // there is no loop any more
}

TEST(CpuPool, WorksInTheCallersArena) {
  std::atomic<int> sum = 0;
  CpuPool(0).parallel_for(8, [&](int, int) {
    CpuPool pool(0);
    pool.parallel_for(100, [&](int i, int) { sum += i; });
  });
  EXPECT_EQ(sum, 8 * 4950);
}

// Writes 32 KiB of the stack, which `then` gets as its own part of the stack after that.
[[gnu::noinline]] int write_the_stack(const std::function<void()>& then = [] {}) {
  std::array<volatile int, 8192> numbers;
  for (volatile int& n : numbers) n = 1;
  then();
  int sum = 0;
  for (const volatile int& n : numbers) sum += n;
  return sum;
}

[[gnu::noinline]] void count_call(volatile int& calls) { calls = calls + 1; }

// oneTBB counts the pieces of a loop on the caller's stack. The last thread has counted when the loop returns, so that
// part of the stack is the caller's again. ThreadSanitizer, which does not see oneTBB wait, would report a race here;
// it forgets that the last access was oneTBB's after some 100 000 calls of that thread, and then suppresses no report.
TEST(CpuPool, LeavesItsPartOfTheStackToTheCaller) {
  const tbb::global_control seven(tbb::global_control::max_allowed_parallelism, 7);
  CpuPool pool(7);
  const std::thread::id caller = std::this_thread::get_id();
  const auto pause = [](int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); };
  for (int turn = 0; turn < 20; ++turn) {
    EXPECT_EQ(write_the_stack([&] {
                pool.parallel_for(8, [&](int, int) { pause(std::this_thread::get_id() == caller ? 0 : 1); });
              }),
              8192);
    pool.parallel_for(8, [&](int, int) {
      if (std::this_thread::get_id() == caller) {
        pause(20);
        EXPECT_EQ(write_the_stack(), 8192);
      } else {
        volatile int calls = 0;
        while (calls < 500000) count_call(calls);
      }
    });
  }
}

TEST(CpuPool, ExceptionsComeOut) {
  CpuPool pool(2);
  EXPECT_THROW(pool.parallel_for(10,
                                 [](int i, int) {
                                   if (i == 3) throw Error(ErrorCode::invalid_argument, "three");
                                 }),
               Error);
  std::atomic<int> n = 0;
  pool.parallel_for(10, [&](int, int) { ++n; });
  EXPECT_EQ(n, 10);
}

}  // namespace
}  // namespace octavo
