// Devices are found by name, instruction sets too; parallel loops visit every index once, in nested use as well.

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <vector>

#include "device/cpu_isa.h"
#include "device/cpu_pool.h"
#include "device/registry.h"
#include "octavo/error.h"

namespace octavo {
namespace {

TEST(Registry, KnowsTheCpuAndTheReference) {
  const std::vector<Device> devices = list_devices();
  ASSERT_EQ(devices.size(), 2u);
  for (const Device& d : devices) EXPECT_EQ(device_name(find_device(d.name)), d.name);
  EXPECT_EQ(find_device("auto"), DeviceKind::cpu);
  EXPECT_FALSE(devices[0].isas.empty());
  EXPECT_THROW(find_device("cuda:7"), Error);
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

TEST(CpuPool, BehavesInsideSomebodysArena) {
  std::atomic<int> sum = 0;
  tbb::parallel_for(0, 8, [&](int) {
    CpuPool pool(0);
    pool.parallel_for(100, [&](int i, int) { sum += i; });
  });
  EXPECT_EQ(sum, 8 * 4950);
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
