// A GPU keeps the contract of device/gpu.h: memory, kernels, queues, events, recordings, and errors after which it
// remains usable.
// The tests run on every GPU of the machine; kernels only on OpenCL, which compiles those of this file from text.

#include "engine/device/gpu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <thread>

#include "engine/core/test_cache.h"
#include "engine/core/test_folder.h"
#include "engine/device/gpu_buffer_pool.h"
#include "engine/maths/scalar.h"
#include "octavo/error.h"

namespace octavo {
namespace {

constexpr KernelModule kernels{"gpu_test", R"(
#pragma OPENCL FP_CONTRACT OFF
__kernel void add(__global int* a, int n, int x) {
  int i = get_global_id(0);
  if (i < n) a[i] += x;
}
__kernel void where(__global int* a) {
  int width = get_num_groups(0), height = get_num_groups(1);
  int group = (get_group_id(2) * height + get_group_id(1)) * width + get_group_id(0);
  a[group * get_local_size(0) + get_local_id(0)] = 1000 * group + get_local_id(0);
}
__kernel void arithmetic(__global const float* a, __global const float* b, __global const float* c,
                         __global float* out, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  out[i] = a[i] * b[i] + c[i];
  out[n + i] = fma(a[i], b[i], c[i]);
  out[2 * n + i] = a[i] / b[i];
  out[3 * n + i] = sqrt(fabs(a[i]));
}
)",
                               nullptr, 0};

constexpr int count = 1000;

constexpr GpuGrid grid_for(int n) { return {{static_cast<unsigned>((n + 63) / 64), 1, 1}, {64, 1, 1}}; }

std::vector<int> ascending() {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 7);
  return values;
}

std::vector<int> download(GpuQueue& queue, const GpuBuffer& from) {
  std::vector<int> values(from.bytes() / sizeof(int));
  queue.download(values.data(), from, 0, from.bytes());
  queue.wait();
  return values;
}

// Every test case runs on every device of one driver.
struct Driver {
  const char* name;
  GpuDriver (*find)();
  bool compiles;  // it compiles kernels from text
};

void PrintTo(const Driver& driver, std::ostream* out) { *out << driver.name; }

class GpuTest : public testing::TestWithParam<Driver> {
 protected:
  void SetUp() override {
    driver_ = GetParam().find();
    EXPECT_EQ(driver_.gpus.empty(), !driver_.missing.empty());
    if (driver_.gpus.empty()) GTEST_SKIP() << driver_.missing;
    // The test has a cache of its own, which starts empty.
    keep_cache_in(cache_);
  }

  template <class Test>
  void on_every_gpu(const Test& test, std::size_t memory_limit = 0) {
    for (const FoundGpu& found : driver_.gpus) {
      const std::shared_ptr<Gpu> gpu = found.open(memory_limit, {});
      SCOPED_TRACE(gpu->facts().name + ": " + gpu->facts().description);
      test(*gpu);
    }
  }

  GpuDriver driver_;
  const TestFolder folder_;
  const std::filesystem::path cache_ = folder_ / "cache";
};

// The tests that need kernels.
class GpuKernelTest : public GpuTest {
 protected:
  void SetUp() override {
    if (!GetParam().compiles) GTEST_SKIP() << "this driver takes no kernels as text";
    GpuTest::SetUp();
  }
};

constexpr Driver cuda{"Cuda", find_cuda_gpus, false};
constexpr Driver opencl{"OpenCl", find_opencl_gpus, true};
std::string name_of(const testing::TestParamInfo<Driver>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Each, GpuTest, testing::Values(cuda, opencl), name_of);
INSTANTIATE_TEST_SUITE_P(Each, GpuKernelTest, testing::Values(cuda, opencl), name_of);

TEST_P(GpuTest, FactsAreThere) {
  const GpuDriver found = GetParam().find();
  for (std::size_t i = 0; i < found.gpus.size(); ++i) {
    const GpuFacts& facts = found.gpus[i].facts;
    EXPECT_TRUE(facts.name.ends_with(":" + std::to_string(i)));
    EXPECT_FALSE(facts.description.empty());
    EXPECT_EQ(facts.conformant, facts.shortcoming.empty());
    EXPECT_GT(facts.memory_bytes, 0u);
    EXPECT_GT(facts.largest_buffer, 0u);
    EXPECT_GT(facts.compute_units, 0);
    EXPECT_EQ(found.gpus[i].open(0, {})->facts().name, facts.name);
  }
}

TEST_P(GpuTest, CopiesStayOnTheDeviceAndCanBeRecorded) {
  on_every_gpu([](Gpu& gpu) {
    const auto queue = gpu.queue();
    const auto from = gpu.allocate(count * sizeof(int)), to = gpu.allocate(count * sizeof(int));
    const std::vector<int> values = ascending();
    queue->upload(*from, 0, values.data(), from->bytes());
    queue->clear(*to, 0, to->bytes());
    queue->copy(*to, 40, *from, 12, 8);
    queue->copy(*to, 0, *from, 0, 0);  // zero bytes
    std::vector<int> expected(count);
    expected[10] = values[3];
    expected[11] = values[4];
    EXPECT_EQ(download(*queue, *to), expected);

    queue->begin_recording();
    queue->copy(*to, 0, *from, 0, from->bytes());
    const auto recording = queue->end_recording();
    EXPECT_EQ(download(*queue, *to), expected) << "what was recorded ran";
    queue->replay(*recording);
    EXPECT_EQ(download(*queue, *to), values);
  });
}

TEST_P(GpuTest, AGpuSharesItsMemoryWithItselfAndRecognisesNoneOfTheHosts) {
  on_every_gpu([](Gpu& gpu) {
    EXPECT_TRUE(gpu.shares_memory_with(gpu));
    const int on_stack = 0;
    EXPECT_FALSE(gpu.recognises(&on_stack));
    EXPECT_FALSE(gpu.recognises(gpu.allocate_pinned(64)->data()));
    EXPECT_FALSE(gpu.recognises(nullptr));
    EXPECT_FALSE(gpu.reads_directly(&on_stack, sizeof on_stack));
    EXPECT_FALSE(gpu.reads_directly(nullptr, 64));
    const auto pinned = gpu.allocate_pinned(64);
    EXPECT_EQ(gpu.reads_directly(pinned->data(), 64), gpu.facts().name.starts_with("cuda"));
    EXPECT_FALSE(gpu.reads_directly(pinned->data(), std::size_t{1} << 40));  // a part of it is not pinned
  });
  const std::shared_ptr<Gpu> one = driver_.gpus.front().open(0, {}), other = driver_.gpus.front().open(0, {});
  if (one->shares_memory_with(*other)) {
    const auto from = one->allocate(count * sizeof(int)), to = other->allocate(count * sizeof(int));
    const std::vector<int> values = ascending();
    const auto queue = one->queue(), other_queue = other->queue();
    queue->upload(*from, 0, values.data(), from->bytes());
    queue->wait();
    other_queue->copy(*to, 0, *from, 0, to->bytes());
    EXPECT_EQ(download(*other_queue, *to), values);
  }
}

TEST_P(GpuTest, APoolGivesTheSameBufferAgain) {
  for (const FoundGpu& found : driver_.gpus) {
    const std::shared_ptr<Gpu> gpu = found.open(std::size_t{8} << 20, {});
    auto pool = std::make_unique<GpuBufferPool>(gpu);
    std::shared_ptr<GpuBuffer> first = pool->take(1000);
    const GpuBuffer* const known = first.get();
    EXPECT_GE(first->bytes(), 1000u);
    EXPECT_NE(pool->take(1000).get(), known);
    first.reset();
    std::shared_ptr<GpuBuffer> second = pool->take(900), third = pool->take(900);
    EXPECT_TRUE(second.get() == known || third.get() == known);
    third.reset();
    const std::size_t all = (std::size_t{8} << 20) - second->bytes();
    EXPECT_EQ(pool->take(all)->bytes(), all) << "unused memory must make way";
    EXPECT_THROW(pool->take(all + 1), Error);
    pool.reset();
    second.reset();  // it outlives the pool
  }
}

TEST_P(GpuTest, BytesComeBackAndClearsAreExact) {
  on_every_gpu([](Gpu& gpu) {
    const auto queue = gpu.queue();
    const auto buffer = gpu.allocate(count * sizeof(int));
    const auto pinned = gpu.allocate_pinned(count * sizeof(int));
    EXPECT_EQ(buffer->bytes(), count * sizeof(int));
    EXPECT_EQ(pinned->bytes(), count * sizeof(int));
    std::vector<int> expected = ascending();
    std::copy(expected.begin(), expected.end(), reinterpret_cast<int*>(pinned->data()));
    queue->upload(*buffer, 0, pinned->data(), pinned->bytes());
    EXPECT_EQ(download(*queue, *buffer), expected);

    const int replacement[] = {-1, -2};
    queue->upload(*buffer, 40, replacement, sizeof replacement);
    queue->clear(*buffer, 80, 12);
    queue->upload(*buffer, 0, replacement, 0);  // zero bytes
    queue->clear(*buffer, 0, 0);
    expected[10] = -1;
    expected[11] = -2;
    expected[20] = expected[21] = expected[22] = 0;
    EXPECT_EQ(download(*queue, *buffer), expected);

    std::fill_n(pinned->data(), pinned->bytes(), std::byte{0});
    queue->download(pinned->data(), *buffer, 400, 8);
    queue->wait();
    EXPECT_EQ(reinterpret_cast<int*>(pinned->data())[1], expected[101]);
    EXPECT_EQ(reinterpret_cast<int*>(pinned->data())[2], 0);
  });
}

TEST_P(GpuTest, ALimitOfMemoryIsKeptAndTheDeviceGoesOn) {
  constexpr std::size_t limit = 1 << 20;
  on_every_gpu(
      [](Gpu& gpu) {
        auto half = gpu.allocate(limit / 2);
        try {
          (void)gpu.allocate(limit / 2 + 1);
          ADD_FAILURE() << "the limit was not kept";
        } catch (const Error& e) {
          EXPECT_EQ(e.code(), ErrorCode::out_of_memory);
          EXPECT_NE(std::string(e.what()).find(std::to_string(limit / 2 + 1)), std::string::npos) << e.what();
          EXPECT_NE(std::string(e.what()).find(std::to_string(limit / 2) + " bytes are free"), std::string::npos)
              << e.what();
        }
        const auto other_half = gpu.allocate(limit / 2);
        EXPECT_THROW((void)gpu.allocate(0), Error);  // an empty buffer takes a little memory
        half.reset();
        half = gpu.allocate(0);
        EXPECT_EQ(half->bytes(), 0u);
        EXPECT_THROW((void)gpu.allocate(std::numeric_limits<std::size_t>::max()), Error);
        const auto queue = gpu.queue();
        queue->clear(*other_half, 0, limit / 2);
        EXPECT_EQ(download(*queue, *other_half), std::vector<int>(limit / 2 / sizeof(int)));
      },
      limit);
}

TEST_P(GpuTest, EventsAreInOrderAndQueuesWaitForThem) {
  on_every_gpu([](Gpu& gpu) {
    const auto first = gpu.queue();
    const auto second = gpu.queue();
    const auto buffer = gpu.allocate(1 << 22);
    const std::vector<int> values(buffer->bytes() / sizeof(int), 5);
    const auto start = first->event();
    first->upload(*buffer, 0, values.data(), buffer->bytes());
    const auto uploaded = first->event();
    second->wait_for(*uploaded);
    EXPECT_EQ(download(*second, *buffer), values);
    uploaded->wait();
    start->wait();
    EXPECT_GE(uploaded->milliseconds_since(*start), 0.0);
    EXPECT_LE(start->milliseconds_since(*uploaded), 0.0);
    EXPECT_LT(uploaded->milliseconds_since(*start), 10000.0);
  });
}

// Work of a branch lies between the fork and the join, both when it runs at once and in a recording.
TEST_P(GpuTest, BranchesRunAfterTheForkAndBeforeTheJoin) {
  on_every_gpu([](Gpu& gpu) {
    const auto queue = gpu.queue();
    const auto buffer = gpu.allocate(1 << 22);
    const std::size_t half = buffer->bytes() / 2;
    const std::vector<int> values(buffer->bytes() / sizeof(int), 7);
    std::vector<int> before(half / sizeof(int)), after(before.size());
    const auto work = [&] {
      queue->upload(*buffer, 0, values.data(), buffer->bytes());
      GpuQueue& branch = queue->fork(0);
      branch.download(before.data(), *buffer, 0, half);
      branch.clear(*buffer, 0, half);
      GpuQueue& another = queue->fork(1);
      another.clear(*buffer, half, half);
      queue->join(1);
      queue->join(0);
      // Branch 0 is already joined, and branch 5 was never forked.
      queue->join(0);
      queue->join(5);
      queue->download(after.data(), *buffer, 0, half);
    };
    const auto check = [&] {
      queue->wait();
      EXPECT_EQ(before, std::vector<int>(before.size(), 7));
      EXPECT_EQ(after, std::vector<int>(after.size(), 0));
      EXPECT_EQ(download(*queue, *buffer), std::vector<int>(values.size(), 0));
    };
    work();
    check();
    queue->begin_recording();
    work();
    const auto recording = queue->end_recording();
    for (int i = 0; i < 3; ++i) {
      before.assign(before.size(), 1);
      after.assign(after.size(), 1);
      queue->replay(*recording);
      check();
    }
  });
}

TEST_P(GpuTest, WhatLivesOnAGpuMayOutliveIt) {
  std::shared_ptr<Gpu> gpu = driver_.gpus.front().open(0, {});
  const auto buffer = gpu->allocate(64);
  const auto pinned = gpu->allocate_pinned(64);
  const auto queue = gpu->queue();
  gpu.reset();
  queue->clear(*buffer, 0, 64);
  queue->wait();
}

TEST_P(GpuKernelTest, KernelsRunOnTheWholeGrid) {
  on_every_gpu([](Gpu& gpu) {
    const auto add = gpu.kernel(kernels, "add");
    const auto where = gpu.kernel(kernels, "where");
    const auto queue = gpu.queue();
    const auto buffer = gpu.allocate(count * sizeof(int));
    const std::vector<int> values = ascending();
    queue->upload(*buffer, 0, values.data(), buffer->bytes());
    queue->launch(*add, grid_for(count), *buffer, count, 3);
    queue->launch(*add, grid_for(count), *buffer, count, -1);
    std::vector<int> expected = values;
    for (int& x : expected) x += 2;
    EXPECT_EQ(download(*queue, *buffer), expected);

    const auto places = gpu.allocate(2 * 3 * 4 * 8 * sizeof(int));
    queue->launch(*where, GpuGrid{{2, 3, 4}, {8, 1, 1}}, *places);
    const std::vector<int> seen = download(*queue, *places);
    for (int i = 0; i < 2 * 3 * 4 * 8; ++i) ASSERT_EQ(seen[i], 1000 * (i / 8) + i % 8);
  });
}

TEST_P(GpuKernelTest, RecordedWorkRunsOnlyWhenReplayedAndAgainTheSame) {
  on_every_gpu([](Gpu& gpu) {
    const auto add = gpu.kernel(kernels, "add");
    const auto queue = gpu.queue();
    const auto buffer = gpu.allocate(count * sizeof(int));
    const auto staging = gpu.allocate_pinned(buffer->bytes());
    int* const host = reinterpret_cast<int*>(staging->data());
    const std::vector<int> values = ascending();
    std::copy(values.begin(), values.end(), host);
    queue->clear(*buffer, 0, buffer->bytes());

    queue->begin_recording();
    queue->upload(*buffer, 0, host, buffer->bytes());
    queue->launch(*add, grid_for(count), *buffer, count, 10);
    queue->launch(*add, grid_for(count), *buffer, count, 100);  // the same kernel with another value
    queue->clear(*buffer, 0, 4);
    queue->download(host, *buffer, 0, buffer->bytes());
    const auto recording = queue->end_recording();
    EXPECT_EQ(download(*queue, *buffer), std::vector<int>(count));

    for (int run = 1; run <= 2; ++run) {
      queue->replay(*recording);
      queue->launch(*add, grid_for(count), *buffer, count, 10000);  // the recording does not keep this value
      queue->wait();
      EXPECT_EQ(host[0], 0);
      for (int i = 1; i < count; ++i) ASSERT_EQ(host[i], values[i] + 110 * run);
    }
  });
}

TEST_P(GpuKernelTest, ArithmeticIsCorrectlyRounded) {
  constexpr float tiny = 1e-39f;  // subnormal
  std::vector<float> a{1 + 0x1p-12f, 1, 10, tiny, 2, 0x1p-100f, 7};
  std::vector<float> b{1 + 0x1p-12f, 3, 3, 0.5f, 7, 0x1p-40f, tiny};
  std::vector<float> c{-1, 0, -3, tiny, 0.1f, 0, 0};
  unsigned state = 1;
  const auto random = [&] {
    return static_cast<float>(static_cast<int>(state = state * 1664525 + 1013904223)) * 0x1p-20f;
  };
  while (a.size() < count) {
    a.push_back(random());
    b.push_back(random());
    c.push_back(-a.back() * b.back());  // the sum cancels, so a contraction would be visible
  }
  on_every_gpu([&](Gpu& gpu) {
    if (!gpu.facts().conformant) GTEST_SKIP() << gpu.facts().shortcoming;
    const auto queue = gpu.queue();
    const std::size_t bytes = count * sizeof(float);
    const auto in_a = gpu.allocate(bytes);
    const auto in_b = gpu.allocate(bytes);
    const auto in_c = gpu.allocate(bytes);
    const auto out = gpu.allocate(4 * bytes);
    queue->upload(*in_a, 0, a.data(), bytes);
    queue->upload(*in_b, 0, b.data(), bytes);
    queue->upload(*in_c, 0, c.data(), bytes);
    queue->launch(*gpu.kernel(kernels, "arithmetic"), grid_for(count), *in_a, *in_b, *in_c, *out, count);
    std::vector<float> got(4 * count);
    queue->download(got.data(), *out, 0, out->bytes());
    queue->wait();
    for (int i = 0; i < count; ++i) {
      ASSERT_EQ(got[i], a[i] * b[i] + c[i]) << i;
      ASSERT_EQ(got[count + i], maths::fma(a[i], b[i], c[i])) << i;
      ASSERT_EQ(got[2 * count + i], a[i] / b[i]) << i;
      ASSERT_EQ(got[3 * count + i], std::sqrt(std::fabs(a[i]))) << i;
    }
  });
}

TEST_P(GpuKernelTest, ThreadsShareAGpuOrHaveTheirOwn) {
  const std::shared_ptr<Gpu> shared = driver_.gpus.front().open(0, {});
  const auto work = [&](int thread) {
    const std::shared_ptr<Gpu> gpu = thread % 2 == 0 ? shared : driver_.gpus.front().open(0, {});
    for (int run = 0; run < 5; ++run) {
      const auto add = gpu->kernel(kernels, "add");
      const auto queue = gpu->queue();
      const auto buffer = gpu->allocate(count * sizeof(int));
      queue->clear(*buffer, 0, buffer->bytes());
      for (int i = 0; i < 10; ++i) queue->launch(*add, grid_for(count), *buffer, count, thread);
      EXPECT_EQ(download(*queue, *buffer), std::vector<int>(count, 10 * thread));
    }
  };
  std::vector<std::thread> threads;
  for (int thread = 1; thread <= 4; ++thread) threads.emplace_back(work, thread);
  for (std::thread& t : threads) t.join();
}

TEST_P(GpuKernelTest, WhatCannotBeBuiltIsExplainedAndTheDeviceGoesOn) {
  on_every_gpu([](Gpu& gpu) {
    const KernelModule broken{"broken", "__kernel void f(__global int* a) { a[0] = no_such_name; }", nullptr, 0};
    try {
      (void)gpu.kernel(broken, "f");
      ADD_FAILURE() << "it was built";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::device_unavailable);
      EXPECT_NE(std::string(e.what()).find("broken"), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find("no_such_name"), std::string::npos) << e.what();
    }
    EXPECT_THROW((void)gpu.kernel(kernels, "no_such_kernel"), Error);

    const auto queue = gpu.queue();
    const auto add = gpu.kernel(kernels, "add");
    const auto buffer = gpu.allocate(count * sizeof(int));
    EXPECT_THROW(queue->launch(*add, grid_for(count), *buffer, count, 1.0), Error);  // a value of the wrong size
    queue->clear(*buffer, 0, buffer->bytes());
    queue->launch(*add, grid_for(count), *buffer, count, 1);
    EXPECT_EQ(download(*queue, *buffer), std::vector<int>(count, 1));
  });
}

TEST_P(GpuKernelTest, BuiltKernelsAreKeptAndABrokenEntryIsReplaced) {
  const auto entries = [&] {
    std::vector<std::filesystem::path> found;
    for (const auto& e : std::filesystem::directory_iterator(cache_ / "octavo" / "opencl")) found.push_back(e.path());
    return found;
  };
  const auto contents = [](const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const auto works = [](Gpu& gpu) {
    const auto queue = gpu.queue();
    const auto buffer = gpu.allocate(count * sizeof(int));
    queue->clear(*buffer, 0, buffer->bytes());
    queue->launch(*gpu.kernel(kernels, "add"), grid_for(count), *buffer, count, 4);
    EXPECT_EQ(download(*queue, *buffer), std::vector<int>(count, 4));
  };
  on_every_gpu(works);
  const std::vector<std::filesystem::path> first = entries();
  ASSERT_FALSE(first.empty());
  const std::string good = contents(first[0]);
  on_every_gpu(works);  // from the cache
  EXPECT_EQ(contents(first[0]), good);

  for (const std::string& bad : {std::string(), std::string("garbage"), good.substr(0, good.size() / 2)}) {
    std::ofstream(first[0], std::ios::binary) << bad;
    on_every_gpu(works);
    EXPECT_EQ(contents(first[0]).size(), good.size());
  }
  EXPECT_EQ(entries().size(), first.size());  // no temporary file remains

  std::filesystem::remove_all(cache_);
  std::ofstream(cache_) << "a file where the folder should be";
  on_every_gpu(works);
}

TEST(GpuSearch, SeveralThreadsMaySearchAtOnce) {
  std::vector<std::size_t> found(4);
  std::vector<std::thread> threads;
  for (std::size_t& gpus : found) threads.emplace_back([&gpus] { gpus = find_opencl_gpus().gpus.size(); });
  for (std::thread& one : threads) one.join();
  EXPECT_EQ(found, std::vector<std::size_t>(4, find_opencl_gpus().gpus.size()));
}

}  // namespace
}  // namespace octavo
