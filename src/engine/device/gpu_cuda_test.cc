// Properties of the CUDA driver alone: ready-made kernels, graphs as recordings, and the state of a device after a
// kernel fails. The kernels are PTX, which the driver accepts in place of a fat binary, so the test needs no nvcc.
// gpu_test.cc covers the common properties of all drivers.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "engine/device/gpu.h"
#include "octavo/error.h"

namespace octavo {
namespace {

// add(int* a, int n, int x): a[i] += x, where i is the global index. where(int* a): a[i] = the linear index i over the
// whole grid.
// crash(int*): writes to an invalid address.
constexpr char ptx[] = R"(
.version 6.3
.target sm_75
.address_size 64
.visible .entry add(.param .u64 a, .param .u32 n, .param .u32 x) {
  .reg .pred %p; .reg .b32 %i, %j, %n, %x; .reg .b64 %a, %o;
  mov.u32 %i, %ctaid.x; mov.u32 %j, %ntid.x; mul.lo.u32 %i, %i, %j; mov.u32 %j, %tid.x; add.u32 %i, %i, %j;
  ld.param.u32 %n, [n]; setp.ge.u32 %p, %i, %n;
  @%p bra END;
  ld.param.u64 %a, [a]; cvta.to.global.u64 %a, %a; mul.wide.u32 %o, %i, 4; add.u64 %a, %a, %o;
  ld.param.u32 %x, [x]; ld.global.u32 %j, [%a]; add.u32 %j, %j, %x; st.global.u32 [%a], %j;
END:
  ret;
}
.visible .entry where(.param .u64 a) {
  .reg .b32 %i, %j; .reg .b64 %a, %o;
  mov.u32 %i, %ctaid.z; mov.u32 %j, %nctaid.y; mul.lo.u32 %i, %i, %j; mov.u32 %j, %ctaid.y; add.u32 %i, %i, %j;
  mov.u32 %j, %nctaid.x; mul.lo.u32 %i, %i, %j; mov.u32 %j, %ctaid.x; add.u32 %i, %i, %j;
  mov.u32 %j, %ntid.x; mul.lo.u32 %i, %i, %j; mov.u32 %j, %tid.x; add.u32 %i, %i, %j;
  ld.param.u64 %a, [a]; cvta.to.global.u64 %a, %a; mul.wide.u32 %o, %i, 4; add.u64 %a, %a, %o;
  st.global.u32 [%a], %i;
  ret;
}
.visible .entry crash(.param .u64 a) {
  .reg .b64 %a;
  mov.u64 %a, 64;
  st.global.u32 [%a], 1;
  ret;
}
)";

KernelModule module_of(const char* name, const char* text) {
  return {name, "", reinterpret_cast<const unsigned char*>(text), std::char_traits<char>::length(text) + 1};
}

const KernelModule kernels = module_of("gpu_cuda_test", ptx);

constexpr int count = 1000;
constexpr GpuGrid grid{{16, 1, 1}, {64, 1, 1}};

std::vector<int> download(GpuQueue& queue, const GpuBuffer& from) {
  std::vector<int> values(from.bytes() / sizeof(int));
  queue.download(values.data(), from, 0, from.bytes());
  queue.wait();
  return values;
}

template <class Action>
std::string failure(ErrorCode code, const Action& action) {
  try {
    action();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), code) << e.what();
    return e.what();
  }
  return "none";
}

class CudaGpuTest : public testing::Test {
 protected:
  void SetUp() override {
    const GpuDriver driver = find_cuda_gpus();
    if (driver.gpus.empty()) GTEST_SKIP() << driver.missing;
    gpu_ = driver.gpus.front().open(0, {});
  }
  std::shared_ptr<Gpu> gpu_;
};

TEST_F(CudaGpuTest, KernelsRunOnTheWholeGrid) {
  const auto add = gpu_->kernel(kernels, "add");
  const auto where = gpu_->kernel(kernels, "where");
  const auto queue = gpu_->queue();
  const auto buffer = gpu_->allocate(count * sizeof(int));
  queue->launch(*where, GpuGrid{{5, 5, 4}, {10, 1, 1}}, *buffer);
  queue->launch(*add, grid, *buffer, count - 1, 3);
  const std::vector<int> got = download(*queue, *buffer);
  for (int i = 0; i < count - 1; ++i) ASSERT_EQ(got[i], i + 3);
  EXPECT_EQ(got[count - 1], count - 1);
}

TEST_F(CudaGpuTest, ARecordingReplaysCopiesAndLaunchesAndMayOutliveItsMakers) {
  const auto staging = gpu_->allocate_pinned(count * sizeof(int));
  int* const host = reinterpret_cast<int*>(staging->data());
  const auto buffer = gpu_->allocate(staging->bytes());
  auto queue = gpu_->queue();
  queue->clear(*buffer, 0, buffer->bytes());
  queue->begin_recording();
  queue->upload(*buffer, 0, host, buffer->bytes());
  {
    const auto add = gpu_->kernel(kernels, "add");  // loaded during a recording
    const auto passing = gpu_->allocate(64);        // memory is allocated and freed during the recording
    queue->launch(*add, grid, *buffer, count, 10);
    queue->launch(*add, grid, *buffer, count, 100);
  }
  queue->clear(*buffer, 4, 8);
  queue->download(host, *buffer, 0, buffer->bytes());
  const auto recording = queue->end_recording();
  EXPECT_EQ(download(*queue, *buffer), std::vector<int>(count)) << "what was recorded ran";

  std::fill_n(host, count, 1);
  queue = gpu_->queue();
  for (int run = 1; run <= 3; ++run) {
    queue->replay(*recording);
    queue->wait();
    EXPECT_EQ(host[0], 1 + 110 * run);
    EXPECT_EQ(host[1], 0);
    EXPECT_EQ(host[2], 0);
    EXPECT_EQ(host[count - 1], 1 + 110 * run);
  }
  gpu_.reset();
}

TEST_F(CudaGpuTest, ARecordingThatIsAbandonedLeavesNothingBehind) {
  {
    const auto queue = gpu_->queue();
    const auto buffer = gpu_->allocate(64);
    queue->begin_recording();
    queue->clear(*buffer, 0, 64);
  }
  const auto queue = gpu_->queue();
  EXPECT_NE(failure(ErrorCode::device_unavailable, [&] { (void)queue->end_recording(); }), "none");
  const auto buffer = gpu_->allocate(64);
  queue->clear(*buffer, 0, 64);
  EXPECT_EQ(download(*queue, *buffer), std::vector<int>(16));
}

TEST_F(CudaGpuTest, WhatCannotBeLoadedIsExplainedAndTheDeviceGoesOn) {
  const KernelModule broken = module_of("broken", ".version 6.3\n.target sm_75\n.address_size 64\nnonsense\n");
  const std::string words = failure(ErrorCode::device_unavailable, [&] { (void)gpu_->kernel(broken, "f"); });
  EXPECT_NE(words.find("kernels of broken: CUDA_ERROR_"), std::string::npos) << words;
  EXPECT_NE(words.find("nonsense"), std::string::npos) << words;
  const KernelModule none{"none", "", nullptr, 0};
  EXPECT_EQ(failure(ErrorCode::device_unavailable, [&] { (void)gpu_->kernel(none, "f"); }),
            "this build has no CUDA kernels for none");
  EXPECT_NE(failure(ErrorCode::device_unavailable, [&] { (void)gpu_->kernel(kernels, "no_such_kernel"); })
                .find("no_such_kernel"),
            std::string::npos);
  const std::size_t too_much = gpu_->facts().memory_bytes + 1;
  EXPECT_NE(failure(ErrorCode::out_of_memory, [&] { (void)gpu_->allocate(too_much); }).find(std::to_string(too_much)),
            std::string::npos);

  const auto queue = gpu_->queue();
  const auto buffer = gpu_->allocate(count * sizeof(int));
  queue->clear(*buffer, 0, buffer->bytes());
  EXPECT_THROW(queue->launch(*gpu_->kernel(kernels, "add"), GpuGrid{{1, 1, 1}, {4096, 1, 1}}, *buffer, 1, 1), Error);
  queue->launch(*gpu_->kernel(kernels, "add"), grid, *buffer, count, 1);
  EXPECT_EQ(download(*queue, *buffer), std::vector<int>(count, 1));
}

TEST_F(CudaGpuTest, ThreadsShareAGpu) {
  std::vector<std::thread> threads;
  for (int thread = 1; thread <= 4; ++thread) {
    threads.emplace_back([this, thread] {
      for (int run = 0; run < 20; ++run) {
        const auto queue = gpu_->queue();
        const auto buffer = gpu_->allocate(count * sizeof(int));
        queue->clear(*buffer, 0, buffer->bytes());
        queue->begin_recording();
        for (int i = 0; i < 10; ++i) queue->launch(*gpu_->kernel(kernels, "add"), grid, *buffer, count, thread);
        const auto recording = queue->end_recording();
        queue->replay(*recording);
        EXPECT_EQ(download(*queue, *buffer), std::vector<int>(count, 10 * thread));
      }
    });
  }
  for (std::thread& t : threads) t.join();
}

// It runs in a process of its own: after such an error the process can no longer use the device.
using CudaGpuDeathTest = CudaGpuTest;

TEST_F(CudaGpuDeathTest, AKernelThatWentWrongIsReportedAndAllCanBeDestroyed) {
  gpu_.reset();
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto crash = [] {
    {
      const std::shared_ptr<Gpu> gpu = find_cuda_gpus().gpus.front().open(0, {});
      const auto queue = gpu->queue();
      const auto buffer = gpu->allocate(64);
      const auto event = queue->event();
      queue->launch(*gpu->kernel(kernels, "crash"), GpuGrid{}, *buffer);
      std::cerr << failure(ErrorCode::device_unavailable, [&] { queue->wait(); }) << "\n";
      std::cerr << failure(ErrorCode::device_unavailable, [&] { (void)gpu->allocate(64); }) << "\n";
    }
    std::exit(testing::Test::HasFailure() ? 1 : 0);
  };
  const char* const words = "cuda:0: CUDA_ERROR_ILLEGAL_ADDRESS \\(.*\ncuda:0: CUDA_ERROR_ILLEGAL_ADDRESS";
  EXPECT_EXIT(crash(), testing::ExitedWithCode(0), words);
}

}  // namespace
}  // namespace octavo
