// Memory that is not there is refused before it is taken.

#include "engine/device/host_memory.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "engine/device/gpu_dry_run.h"
#include "octavo/error.h"

namespace octavo {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

GpuFacts facts_of_no_gpu() {
  GpuFacts facts;
  facts.name = "none:0";
  facts.largest_buffer = 100 * mib;
  return facts;
}

TEST(RequiredHostMemory, IsRefusedIfItCannotExist) {
  const std::uint64_t all = available_host_memory().bytes;
  if (all == std::numeric_limits<std::uint64_t>::max()) GTEST_SKIP() << "this system does not tell its memory";
  try {
    require_host_memory(std::uint64_t{1} << 50, 0, "a test");
    FAIL() << "2^50 bytes were granted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
    EXPECT_EQ(std::string(error.what()).find("a test takes at least 1125899906842624 bytes of memory, but "), 0u)
        << error.what();
  }
}

TEST(RequiredHostMemory, HeldMemoryAndSmallGrowthAreNotChecked) {
  constexpr std::uint64_t much = std::uint64_t{1} << 50;
  EXPECT_NO_THROW(require_host_memory(much, much, "a test"));
  EXPECT_NO_THROW(require_host_memory(much, 2 * much, "a test"));
  EXPECT_NO_THROW(require_host_memory(much + least_checked_bytes - 1, much, "a test"));
}

TEST(RequiredDeviceMemory, IsRefusedByTheLimitsOfTheGpu) {
  class SmallGpu : public GpuDryRun {
   public:
    SmallGpu() : GpuDryRun(facts_of_no_gpu()) {}
    [[nodiscard]] std::size_t free_bytes() const override { return 300 * mib; }
  } const gpu;
  const auto refusal = [&](std::uint64_t bytes, std::uint64_t largest, std::uint64_t held) -> std::string {
    const MemoryNeed need{{0, bytes}, {0, bytes}, largest};
    try {
      require_device_memory(gpu, need, held, "a test");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(refusal(300 * mib, 100 * mib, 0), "none");
  EXPECT_EQ(refusal(350 * mib, 100 * mib, 50 * mib), "none");
  EXPECT_EQ(
      refusal(301 * mib, 100 * mib, 0),
      "a test takes at least 315621376 bytes of memory, but 314572800 bytes are available (free memory of none:0)");
  EXPECT_EQ(refusal(200 * mib, 101 * mib, 0),
            "a test takes a buffer of 105906176 bytes, but none:0 gives buffers of at most 104857600 bytes");
}

TEST(GpuDryRun, CountsWhatIsTakenAtATime) {
  GpuDryRun gpu(facts_of_no_gpu());
  {
    const auto first = gpu.allocate(100);
    const auto pinned = gpu.allocate_pinned(7);
    EXPECT_EQ(gpu.taken_bytes(), 100u);
  }
  const auto second = gpu.allocate(60);
  EXPECT_EQ(gpu.taken_bytes(), 60u);
  EXPECT_EQ(gpu.most().least, (MemoryBytes{7, 100}));
  EXPECT_EQ(gpu.most().largest_buffer, 100u);
}

}  // namespace
}  // namespace octavo
