// A survey tells what a driver finds, and says why if the driver ends its process.

#include "device/driver_survey.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "device/shared_library.h"

namespace octavo {
namespace {

GpuDriver two() {
  GpuDriver driver;
  driver.gpus.push_back({{.name = "opencl:0",
                          .driver = "opencl",
                          .description = "a GPU",
                          .conformant = true,
                          .shortcoming = "",
                          .is_cpu = false,
                          .compute_units = 7,
                          .memory_bytes = std::size_t{5} << 30,
                          .largest_buffer = std::size_t{3} << 29},
                         {}});
  GpuFacts old;
  old.name = "opencl:1";
  old.shortcoming = "it is old";
  old.is_cpu = true;
  driver.gpus.push_back({old, {}});
  return driver;
}

GpuDriver none() { return {{}, "there is no such driver"}; }
GpuDriver aborting() { std::abort(); }

// These need a process that uses no GPU, which is so in a test of its own unless a library that it is linked to opens
// OpenCL.
class Survey : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "ThreadSanitizer allows no child process that starts threads";
#endif
    if (is_loaded({"libOpenCL.so.1", "libcuda.so.1"})) GTEST_SKIP() << "another test of this process uses a GPU";
  }
};

TEST_F(Survey, TellsWhatTheDriverFinds) {
  const DriverSurvey found = survey(two);
  EXPECT_EQ(found.missing, "");
  ASSERT_EQ(found.gpus.size(), 2u);
  EXPECT_EQ(found.gpus[0].name, "opencl:0");
  EXPECT_EQ(found.gpus[0].driver, "opencl");
  EXPECT_EQ(found.gpus[0].description, "a GPU");
  EXPECT_TRUE(found.gpus[0].conformant);
  EXPECT_FALSE(found.gpus[0].is_cpu);
  EXPECT_EQ(found.gpus[0].compute_units, 7);
  EXPECT_EQ(found.gpus[0].memory_bytes, std::size_t{5} << 30);
  EXPECT_EQ(found.gpus[0].largest_buffer, std::size_t{3} << 29);
  EXPECT_EQ(found.gpus[1].shortcoming, "it is old");
  EXPECT_TRUE(found.gpus[1].is_cpu);
  EXPECT_EQ(survey(none).missing, "there is no such driver");
}

TEST_F(Survey, OutlivesADriverThatAborts) {
  const DriverSurvey found = survey(aborting);
  EXPECT_TRUE(found.gpus.empty());
  EXPECT_EQ(found.missing, "the search for its devices failed: it ended by a signal: Aborted");
}

TEST_F(Survey, LeavesNoDriverInThisProcess) {
  survey(find_opencl_gpus);
  survey(find_cuda_gpus);
  EXPECT_FALSE(is_loaded({"libOpenCL.so.1", "libOpenCL.so", "libcuda.so.1"}));
}

}  // namespace
}  // namespace octavo
