#include <gtest/gtest.h>

#include <algorithm>

#include "octavo/error.h"
#include "octavo/selftest.h"

namespace octavo {
namespace {

TEST(DevicesToTest, AreAllWithAllInstructionSets) {
  std::size_t expected = 0;
  for (const Device& device : list_devices()) {
    if (device.conformant) expected += std::max<std::size_t>(device.isas.size(), 1);
  }
  const std::vector<DeviceOptions> devices = devices_to_test("auto", 3);
  EXPECT_EQ(devices.size(), expected);
  for (const DeviceOptions& device : devices) EXPECT_EQ(device.threads, 3);
}

TEST(DevicesToTest, MayBeThoseOfOneInstructionSet) {
  for (const Device& device : list_devices()) {
    if (device.name != "cpu") continue;
    const std::vector<DeviceOptions> devices = devices_to_test(device.isas.at(0));
    ASSERT_EQ(devices.size(), 1u);
    EXPECT_EQ(devices[0].name, "cpu");
    EXPECT_EQ(devices[0].isa, device.isas[0]);
  }
}

TEST(DevicesToTest, AnInstructionSetThatIsNotThereIsTheOptions) {
  try {
    devices_to_test("avx3");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_option);
    EXPECT_EQ(error.option(), "isa");
    EXPECT_NE(error.reason().find("this machine has auto"), std::string_view::npos);
  }
}

}  // namespace
}  // namespace octavo
