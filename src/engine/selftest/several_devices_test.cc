// Several devices are tested at a time, and their results come in the order of the devices.

#include <gtest/gtest.h>

#include <atomic>

#include "octavo/error.h"
#include "octavo/selftest.h"

namespace octavo {
namespace {

TEST(SeveralDevices, GiveTheirResultsInOrder) {
  std::vector<DeviceOptions> devices;
  for (const int threads : {1, 2, 1}) devices.push_back({.name = "cpu", .threads = threads});
  std::vector<int> order;
  std::atomic<std::size_t> begun = 0;
  selftest(
      devices,
      [&](const DeviceOptions& device, const std::vector<SelftestResult>& results) {
        order.push_back(device.threads);
        EXPECT_FALSE(results.empty());
        for (const SelftestResult& result : results) EXPECT_TRUE(result.ok) << result.image << " " << result.stage;
      },
      [&](const ProgressStep& step) {
        ++begun;
        EXPECT_EQ(step.stage, "cpu");
        EXPECT_LT(step.done, step.total);
        EXPECT_EQ(step.total, 3u);
      });
  EXPECT_EQ(order, (std::vector<int>{1, 2, 1}));
  EXPECT_EQ(begun, 3u);
}

TEST(SeveralDevices, ThrowTheErrorOfOne) {
  const std::vector<DeviceOptions> devices{{.name = "cpu"}, {.name = "abacus"}};
  int tested = 0;
  EXPECT_THROW(selftest(devices, [&](const DeviceOptions&, const std::vector<SelftestResult>&) { ++tested; }), Error);
  EXPECT_EQ(tested, 1);
  selftest(std::vector<DeviceOptions>(), [&](const DeviceOptions&, const std::vector<SelftestResult>&) { ++tested; });
  EXPECT_EQ(tested, 1);
}

}  // namespace
}  // namespace octavo
