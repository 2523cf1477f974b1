// The probe of a compiler passes a device whose code is right, and finds wrong code. The wrong code of these tests is
// made on purpose: the device compiles a changed text of the probe's kernels.

#include "engine/device/compiler_probe.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/core/test_cache.h"
#include "engine/core/test_folder.h"
#include "engine/device/gpu_dry_run.h"
#include "octavo/error.h"

namespace octavo {
namespace {

TEST(CompilerProbe, TellsTheFirstWrongNumber) {
  GpuFacts facts;
  facts.conformant = true;
  GpuDryRun idle(facts);  // its kernels do nothing
  const ProbeFinding found = probe_compiler(idle);
  EXPECT_FALSE(found.usable);
  EXPECT_TRUE(found.fault.starts_with("its compiler makes wrong code: the end of list 0 is 0, must be "))
      << found.fault;
}

// Runs on every GPU of the machine.
class OnGpus : public testing::TestWithParam<GpuDriver (*)()> {
 protected:
  void SetUp() override {
    driver_ = GetParam()();
    if (driver_.gpus.empty()) GTEST_SKIP() << driver_.missing;
    keep_cache_in(cache_.path);
  }

  GpuDriver driver_;
  const TestFolder cache_;
};

INSTANTIATE_TEST_SUITE_P(Cuda, OnGpus, testing::Values(find_cuda_gpus));
INSTANTIATE_TEST_SUITE_P(OpenCl, OnGpus, testing::Values(find_opencl_gpus));

TEST_P(OnGpus, RightCodePasses) {
  for (const FoundGpu& gpu : driver_.gpus) {
    const ProbeFinding found = probe_compiler(*gpu.open(0, {}));
    EXPECT_EQ(found.fault, "") << gpu.facts.name << ": " << gpu.facts.description;
    EXPECT_TRUE(found.usable);
  }
}

TEST_P(OnGpus, WrongCodeIsFound) {
  struct Change {
    const char *from, *to;
    const char* fault;  // a part of what is told
    bool usable;
  };
  const Change changes[] = {
      // The arithmetic is rounded in another way.
      {"(fma(a, b, c))", "(a * b + c)", "fma(0.100000001, 3, 1.00000012) is 1.30000019, must be 1.30000007", true},
      {"(a / b)", "(fabs(a) < 1.17549435e-38f ? 0.0f : a / b)", " / ", true},
      {"(wide >> 29)", "((int)wide >> 29)", "the shift of ", true},
      {"(int64_to_float(wide))", "(to_float((int)wide))", "the float of ", true},
      // Counters, loops and exchanges between threads go wrong, within the buffers.
      {"(begin + local_id_x, here[local_id_x])", "(begin + local_id_x, here[local_id_x] / 2)", "the end of list 0 ",
       false},
      {"shift >= 0; shift -= 6", "shift >= 6; shift -= 6", "the rank found by group 0 ", false},
      {"number >> 6 == next", "(int)(number >> 6) == (int)next", "the rank found by group 0 ", false},
      {"for (int step = 0; step < steps;", "for (int step = 0; step < steps - 1;", "sum over window 4 ", false},
      {"copied += (int)eights[k]", "copied += (int)eights[0]", "kept number ", false},
      {"i < 0 ? -i : 2 * (n - 1) - i", "i < 0 ? -i - 1 : 2 * (n - 1) - i", "pixel of a smoothed image 0 ", false},
  };
  const std::string text = device_kernels().text;
  for (const FoundGpu& gpu : driver_.gpus) {
    if (gpu.facts.compiler.empty()) GTEST_SKIP() << "this driver takes no kernels as text";
    if (!gpu.facts.conformant) continue;
    for (const Change& change : changes) {
      SCOPED_TRACE(gpu.facts.name + ": " + change.to);
      const std::size_t at = text.find(change.from);
      ASSERT_NE(at, std::string::npos);
      const std::string changed = std::string(text).replace(at, std::string(change.from).size(), change.to);
      const ProbeFinding found = probe_compiler(*gpu.open(0, {}), {"changed", changed.c_str(), nullptr, 0});
      EXPECT_TRUE(found.fault.starts_with("its compiler makes wrong code: ")) << found.fault;
      EXPECT_NE(found.fault.find(change.fault), std::string::npos) << found.fault;
      EXPECT_NE(found.fault.find(", must be "), std::string::npos) << found.fault;
      EXPECT_EQ(found.usable, change.usable);
    }
  }
}

TEST_P(OnGpus, ACompilerThatRefusesTheKernelsThrows) {
  for (const FoundGpu& gpu : driver_.gpus) {
    if (gpu.facts.compiler.empty()) GTEST_SKIP() << "this driver takes no kernels as text";
    EXPECT_THROW(probe_compiler(*gpu.open(0, {}), {"changed", "no program", nullptr, 0}), Error);
  }
}

}  // namespace
}  // namespace octavo
