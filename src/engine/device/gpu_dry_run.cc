#include "engine/device/gpu_dry_run.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/device/host_memory.h"
#include "octavo/error.h"

namespace octavo {

namespace {

// An amount that grows and shrinks.
struct Amount {
  std::uint64_t now = 0, most = 0, largest_part = 0;

  void take(std::uint64_t bytes) {
    now += bytes;
    most = std::max(most, now);
    largest_part = std::max(largest_part, bytes);
  }
  void give(std::uint64_t bytes) { now -= bytes; }
};

class NoKernel : public GpuKernel {
 public:
  using GpuKernel::GpuKernel;
  [[nodiscard]] double occupancy(unsigned) const override { return 0; }
};

class NoEvent : public GpuEvent {
 public:
  void wait() override {}
  [[nodiscard]] double milliseconds_since(const GpuEvent&) const override { return 0; }
};

class NoQueue : public GpuQueue {
 public:
  void upload(GpuBuffer&, std::size_t, const void*, std::size_t) override {}
  void download(void*, const GpuBuffer&, std::size_t, std::size_t) override {}
  void copy(GpuBuffer&, std::size_t, const GpuBuffer&, std::size_t, std::size_t) override {}
  void copy_foreign(GpuBuffer&, const GpuForeignRows&) override {}
  void clear(GpuBuffer&, std::size_t, std::size_t) override {}
  void begin_recording() override {}
  std::unique_ptr<GpuRecording> end_recording() override { return std::make_unique<GpuRecording>(); }
  void replay(const GpuRecording&) override {}
  std::unique_ptr<GpuEvent> event() override { return std::make_unique<NoEvent>(); }
  void wait_for(const GpuEvent&) override {}
  GpuQueue& fork(std::size_t) override { return *this; }
  void join(std::size_t) override {}
  void wait() override {}

 protected:
  void launch_list(const GpuKernel&, const GpuGrid&, const GpuArgument*, std::size_t) override {}
};

}  // namespace

struct GpuDryRun::Tally {
  Amount on_device, pinned;
};

class GpuDryRun::Buffer : public GpuBuffer {
 public:
  Buffer(std::shared_ptr<Tally> tally, std::size_t bytes) : tally_(std::move(tally)), bytes_(bytes) {
    tally_->on_device.take(bytes);
  }
  ~Buffer() override { tally_->on_device.give(bytes_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  [[nodiscard]] std::size_t bytes() const override { return bytes_; }

 private:
  std::shared_ptr<Tally> tally_;
  std::size_t bytes_;
};

class GpuDryRun::Pinned : public GpuPinned {
 public:
  Pinned(std::shared_ptr<Tally> tally, std::size_t bytes) : tally_(std::move(tally)), bytes_(bytes) {
    tally_->pinned.take(bytes);
  }
  ~Pinned() override { tally_->pinned.give(bytes_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  [[nodiscard]] std::byte* data() override { return nullptr; }
  [[nodiscard]] std::size_t bytes() const override { return bytes_; }

 private:
  std::shared_ptr<Tally> tally_;
  std::size_t bytes_;
};

GpuDryRun::GpuDryRun(GpuFacts facts) : facts_(std::move(facts)), tally_(std::make_shared<Tally>()) {}

std::unique_ptr<GpuBuffer> GpuDryRun::allocate(std::size_t bytes) { return std::make_unique<Buffer>(tally_, bytes); }

std::unique_ptr<GpuPinned> GpuDryRun::allocate_pinned(std::size_t bytes) {
  return std::make_unique<Pinned>(tally_, bytes);
}

std::unique_ptr<GpuKernel> GpuDryRun::kernel(const KernelModule&, const char* name) {
  return std::make_unique<NoKernel>(name);
}

std::unique_ptr<GpuQueue> GpuDryRun::queue() { return std::make_unique<NoQueue>(); }

std::size_t GpuDryRun::taken_bytes() const { return tally_->on_device.now; }

std::size_t GpuDryRun::free_bytes() const { return std::numeric_limits<std::size_t>::max() - taken_bytes(); }

MemoryNeed GpuDryRun::most() const {
  const MemoryBytes bytes{tally_->pinned.most, tally_->on_device.most};
  return {bytes, bytes, tally_->on_device.largest_part};
}

void require_device_memory(const Gpu& gpu, const MemoryNeed& needed, std::uint64_t held, const std::string& subject) {
  const std::uint64_t bytes = needed.least.device;
  if (bytes < held || bytes - held < least_checked_bytes) return;
  const std::uint64_t free = gpu.free_bytes();
  if (bytes - held > free) refuse_memory(bytes, free + held, subject, "free memory of " + gpu.facts().name);
  if (needed.largest_buffer > gpu.facts().largest_buffer) {
    throw Error(ErrorCode::out_of_memory, subject + " takes a buffer of " + std::to_string(needed.largest_buffer) +
                                              " bytes, but " + gpu.facts().name + " gives buffers of at most " +
                                              std::to_string(gpu.facts().largest_buffer) + " bytes");
  }
}

MemoryEstimate estimate_on(const std::string& name, const Gpu* gpu, const MemoryNeed& need) {
  MemoryEstimate estimate;
  estimate.device = name;
  estimate.need = need;
  estimate.host = available_host_memory();
  if (gpu == nullptr) return estimate;
  estimate.on_device = {gpu->free_bytes(), "free memory of " + name};
  estimate.buffer_limit = gpu->facts().largest_buffer;
  estimate.shares_memory = gpu->facts().is_cpu;
  return estimate;
}

}  // namespace octavo
