// A GPU without memory and without work: it counts the memory that an algorithm asks it for. An algorithm that prepares
// for an image here tells what it takes on a real GPU, by the same code. So there is no second formula of its sizes.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/core/internal_api.h"
#include "engine/device/gpu.h"
#include "octavo/device.h"

namespace OCTAVO_INTERNAL_API octavo {

class GpuDryRun : public Gpu {
 public:
  /// Stands for a GPU with these facts.
  explicit GpuDryRun(GpuFacts facts);

  [[nodiscard]] const GpuFacts& facts() const override { return facts_; }
  std::unique_ptr<GpuBuffer> allocate(std::size_t bytes) override;
  std::unique_ptr<GpuPinned> allocate_pinned(std::size_t bytes) override;  ///< without data
  std::unique_ptr<GpuKernel> kernel(const KernelModule& module, const char* name) override;
  std::unique_ptr<GpuQueue> queue() override;
  [[nodiscard]] std::size_t taken_bytes() const override;
  [[nodiscard]] std::size_t free_bytes() const override;
  [[nodiscard]] bool recognises(const void*) const override { return false; }
  [[nodiscard]] bool reads_directly(const void*, std::size_t) const override { return false; }
  [[nodiscard]] bool shares_memory_with(const Gpu& other) const override { return this == &other; }

  /// The most that was taken at a time: buffers on the device, pinned memory on the host. Both numbers of the result
  /// are the same.
  [[nodiscard]] MemoryNeed most() const;

 private:
  struct Tally;
  class Buffer;
  class Pinned;
  GpuFacts facts_;
  std::shared_ptr<Tally> tally_;
};

/// Throws Error(out_of_memory) if a GPU has no room for `needed`, of which its owner holds `held` already. `subject` is
/// what needs it. Growth below 64 MiB is not checked.
void require_device_memory(const Gpu& gpu, const MemoryNeed& needed, std::uint64_t held, const std::string& subject);

/// `need` beside the memory that the host has now and that the device called `name` has. `gpu` is null if that is not a
/// GPU.
MemoryEstimate estimate_on(const std::string& name, const Gpu* gpu, const MemoryNeed& need);

}  // namespace octavo
