// A survey tells what a driver finds, and says why if the driver, or code of its compiler, ends its process.

#include "engine/device/driver_survey.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/core/test_cache.h"
#include "engine/core/test_folder.h"
#include "engine/device/gpu_dry_run.h"
#include "engine/device/shared_library.h"
#include "octavo/error.h"

namespace octavo {
namespace {

GpuDriver two() {
  GpuDriver driver;
  driver.gpus.push_back({{.name = "opencl:0",
                          .driver = "opencl",
                          .description = "a GPU",
                          .conformant = true,
                          .shortcoming = "",
                          .usable = true,
                          .compiler = "",
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

// A GPU whose kernels are compiled here, so that it is probed.
FoundGpu compiling(const std::string& name, const GpuOpener& open) {
  GpuFacts facts;
  facts.name = name;
  facts.conformant = true;
  facts.compiler = "compiler of " + name;
  return {facts, open};
}

// The first does nothing, the second crashes, the third hangs, the fourth cannot be opened, and the fifth needs no
// probe.
GpuDriver faulty() {
  const auto idle = [](std::size_t, const ProgressSink&) { return std::make_shared<GpuDryRun>(GpuFacts{}); };
  const auto crash = [](std::size_t, const ProgressSink&) -> std::shared_ptr<Gpu> {
    std::raise(SIGSEGV);
    return {};
  };
  const auto hang = [](std::size_t, const ProgressSink&) -> std::shared_ptr<Gpu> { return pause(), nullptr; };
  const auto refuse = [](std::size_t, const ProgressSink&) -> std::shared_ptr<Gpu> {
    throw Error(ErrorCode::device_unavailable, "it is busy");
  };
  GpuDriver driver{{compiling("idle", idle), compiling("crashing", crash), compiling("hanging", hang),
                    compiling("refusing", refuse), compiling("compiled", crash)},
                   ""};
  driver.gpus.back().facts.compiler.clear();
  return driver;
}

// Two GPUs of one compiler, of which the first is one of this machine.
GpuDriver twins() {
  GpuDriver real = find_opencl_gpus();
  GpuDriver driver;
  if (!real.gpus.empty())
    driver.gpus = {compiling("twin", real.gpus[0].open), compiling("twin", faulty().gpus[1].open)};
  return driver;
}

GpuDriver none() { return {{}, "there is no such driver"}; }
GpuDriver aborting() { std::abort(); }

bool all(const GpuFacts&) { return true; }

// These need a process that uses no GPU, which is so in a test of its own unless a library that it is linked to opens
// OpenCL.
class Survey : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "ThreadSanitizer allows no child process that starts threads";
#endif
    if (is_loaded(opencl_library()) || is_loaded(cuda_library()))
      GTEST_SKIP() << "another test of this process uses a GPU";
    keep_cache_in(cache_.path);
  }

  const TestFolder cache_;
};

TEST_F(Survey, TellsWhatTheDriverFinds) {
  const DriverSurvey found = survey(two, all);
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
  EXPECT_EQ(survey(none, all).missing, "there is no such driver");
}

TEST_F(Survey, OutlivesADriverThatAborts) {
  const DriverSurvey found = survey(aborting, all);
  EXPECT_TRUE(found.gpus.empty());
  EXPECT_EQ(found.missing, "the search for its devices failed: it ended by a signal: Aborted");
}

constexpr std::chrono::seconds short_limit{1};

void expect_faults(const std::vector<GpuFacts>& gpus) {
  ASSERT_EQ(gpus.size(), 5u);
  EXPECT_TRUE(gpus[0].shortcoming.starts_with("its compiler makes wrong code: the end of list 0 is 0, must be "));
  EXPECT_TRUE(gpus[1].shortcoming.starts_with("the probe of its compiler failed: it ended by a signal: Segmentation "));
  EXPECT_EQ(gpus[2].shortcoming, "the probe of its compiler failed: it did not answer within 1 s");
  EXPECT_EQ(gpus[3].shortcoming, "its compiler cannot be probed: it is busy");
  for (std::size_t i = 0; i < 4; ++i) EXPECT_FALSE(gpus[i].conformant || gpus[i].usable) << i;
  EXPECT_EQ(gpus[4].shortcoming, "");
  EXPECT_TRUE(gpus[4].conformant && gpus[4].usable);
}

TEST_F(Survey, AFailedProbeIsTheShortcomingOfItsDevice) {
  const DriverSurvey found = survey(faulty, all, short_limit);
  EXPECT_EQ(found.missing, "");
  expect_faults(found.gpus);
}

TEST_F(Survey, DevicesThatAreToBeOpenedAreProbedOutsideThisProcess) {
  std::vector<GpuFacts> facts;
  for (const FoundGpu& gpu : find_probed(faulty, all, short_limit).gpus) facts.push_back(gpu.facts);
  expect_faults(facts);
}

TEST_F(Survey, ProbesOnlyWhatMayBeUsed) {
  const auto none_of_them = [](const GpuFacts&) { return false; };
  for (const GpuFacts& gpu : survey(faulty, none_of_them).gpus) EXPECT_EQ(gpu.shortcoming, "");
  for (const FoundGpu& gpu : find_probed(faulty, none_of_them).gpus) EXPECT_EQ(gpu.facts.shortcoming, "");
}

TEST_F(Survey, APassedProbeIsRememberedAndADamagedEntryIsNot) {
  const auto shortcomings = [] {
    std::vector<std::string> all_of_them;
    for (const GpuFacts& gpu : survey(twins, all).gpus) all_of_them.push_back(gpu.shortcoming);
    return all_of_them;
  };
  const auto only_the_second = [](const GpuFacts&) {
    static int turn = 0;
    return ++turn % 2 == 0;
  };
  const auto second = [&] { return survey(twins, only_the_second).gpus.back().shortcoming; };
  if (survey(twins, all).gpus.empty()) GTEST_SKIP() << "this machine has no OpenCL device";
  EXPECT_EQ(shortcomings(), (std::vector<std::string>{"", ""}));  // the second would crash, if it were probed
  EXPECT_EQ(second(), "");
  for (const std::string bad : {"", "garbage", "0000000000000000a passed probe"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(cache_ / "octavo")) {
      if (entry.is_regular_file()) std::ofstream(entry.path(), std::ios::binary) << bad;
    }
    EXPECT_NE(second(), "") << bad;
  }
  EXPECT_EQ(shortcomings(), (std::vector<std::string>{"", ""}));  // the probe of the first renews the entry
  std::filesystem::remove_all(cache_ / "octavo");
  EXPECT_NE(second(), "");
}

TEST_F(Survey, LeavesNoDriverInThisProcess) {
  survey(find_opencl_gpus, all);
  survey(find_cuda_gpus, all);
  EXPECT_FALSE(is_loaded(opencl_library()) || is_loaded(cuda_library()));
}

}  // namespace
}  // namespace octavo
