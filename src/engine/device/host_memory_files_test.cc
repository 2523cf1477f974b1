// The available memory follows from files like those of Linux, which are written here to a temporary folder.

#include "engine/device/host_memory_files.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "engine/core/test_folder.h"

namespace octavo {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

class HostMemory : public testing::Test {
 protected:
  void SetUp() override {
    write("proc/meminfo", "MemTotal:  4194304 kB\nMemAvailable:  3145728 kB\nSwapFree:  0 kB\n");
    write("proc/self/cgroup", "");
    write("proc/self/status", "Name:\tx\nVmSize:\t  102400 kB\nVmData:\t   51200 kB\n");
    write("proc/self/limits",
          "Limit                     Soft Limit           Hard Limit           Units     \n"
          "Max data size             unlimited            unlimited            bytes     \n"
          "Max address space         unlimited            unlimited            bytes     \n");
  }

  void write(const std::string& file, const std::string& text) { root_.write(file, text); }
  [[nodiscard]] AvailableMemory available() const { return available_host_memory({root_ / "proc", root_ / "cgroup"}); }
  void expect(std::uint64_t bytes, const std::string& limit) const {
    EXPECT_EQ(available().bytes, bytes);
    EXPECT_EQ(available().limit, limit);
  }

 private:
  const TestFolder root_;
};

TEST_F(HostMemory, OfTheMachine) { expect(3072 * mebibyte, "memory of the machine"); }

TEST_F(HostMemory, SwapSpaceCounts) {
  write("proc/meminfo", "MemAvailable:  1024 kB\nSwapFree:  2048 kB\n");
  expect(3 * mebibyte, "memory of the machine");
}

TEST_F(HostMemory, WithoutFilesNothingLimitsIt) {
  EXPECT_EQ(available_host_memory({"/nonexistent", "/nonexistent"}).bytes, std::numeric_limits<std::uint64_t>::max());
}

TEST_F(HostMemory, OfACgroupOfVersion2) {
  write("proc/self/cgroup", "0::/jobs/7\n");
  write("cgroup/jobs/7/memory.max", "536870912\n");
  write("cgroup/jobs/7/memory.current", "104857600\n");
  expect(412 * mebibyte, "limit of the cgroup /jobs/7");
}

TEST_F(HostMemory, CachedFilesOfACgroupCanBeDropped) {
  write("proc/self/cgroup", "0::/jobs/7\n");
  write("cgroup/jobs/7/memory.max", "536870912\n");
  write("cgroup/jobs/7/memory.current", "104857600\n");
  write("cgroup/jobs/7/memory.stat", "anon 1\nactive_file 1048576\ninactive_file 2097152\nslab_reclaimable 4194304\n");
  expect(419 * mebibyte, "limit of the cgroup /jobs/7");
}

TEST_F(HostMemory, OfTheSmallestOfNestedCgroups) {
  write("proc/self/cgroup", "0::/jobs/7\n");
  write("cgroup/jobs/7/memory.max", "max\n");
  write("cgroup/jobs/7/memory.current", "104857600\n");
  write("cgroup/jobs/memory.max", "209715200\n");
  write("cgroup/jobs/memory.current", "104857600\n");
  expect(100 * mebibyte, "limit of the cgroup /jobs");
}

TEST_F(HostMemory, OfTheContainersOwnRoot) {
  write("proc/self/cgroup", "0::/on/the/host\n");
  write("cgroup/memory.max", "209715200\n");
  write("cgroup/memory.current", "0\n");
  expect(200 * mebibyte, "limit of the cgroup /");
}

TEST_F(HostMemory, SwapOfACgroupIsLimited) {
  write("proc/meminfo", "MemAvailable:  3145728 kB\nSwapFree:  1048576 kB\n");
  write("proc/self/cgroup", "0::/jobs\n");
  write("cgroup/jobs/memory.max", "209715200\n");
  write("cgroup/jobs/memory.current", "0\n");
  write("cgroup/jobs/memory.swap.max", "0\n");
  expect(200 * mebibyte, "limit of the cgroup /jobs");
}

TEST_F(HostMemory, OfACgroupOfVersion1) {
  write("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/jobs/7\n0::/\n");
  write("cgroup/memory/jobs/7/memory.limit_in_bytes", "536870912\n");
  write("cgroup/memory/jobs/7/memory.usage_in_bytes", "104857600\n");
  write("cgroup/memory/jobs/7/memory.stat", "active_file 9\ntotal_active_file 1048576\ntotal_inactive_file 1048576\n");
  write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("cgroup/memory/memory.usage_in_bytes", "204857600\n");
  expect(414 * mebibyte, "limit of the cgroup /jobs/7");
}

TEST_F(HostMemory, OfTheAddressSpace) {
  write("proc/self/limits", "Max address space         209715200            unlimited            bytes     \n");
  expect(100 * mebibyte, "limit of the address space of the process, RLIMIT_AS");
}

TEST_F(HostMemory, OfTheData) {
  write("proc/self/limits", "Max data size             157286400            unlimited            bytes     \n");
  expect(100 * mebibyte, "limit of the data of the process, RLIMIT_DATA");
}

TEST_F(HostMemory, AFullGroupHasNothingLeft) {
  write("proc/self/cgroup", "0::/jobs\n");
  write("cgroup/jobs/memory.max", "100\n");
  write("cgroup/jobs/memory.current", "200\n");
  expect(0, "limit of the cgroup /jobs");
}

}  // namespace
}  // namespace octavo
