// The queues of an OpenCL device and the objects they work on: buffers, kernels, events, recorded commands.

#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

#include "engine/device/api_opencl.h"
#include "engine/device/devices_opencl.h"
#include "engine/device/gpu.h"

namespace octavo {

/// One opened device. Every object on it holds a reference to it.
struct OpenClContext {
  /// `memory_limit` 0 stands for all memory of the device. Throws Error(device_unavailable).
  OpenClContext(std::shared_ptr<const OpenClApi> loader, const OpenClDevice& opened, std::size_t memory_limit);

  const std::shared_ptr<const OpenClApi> api;
  const OpenClDevice device;
  const std::size_t capacity;  ///< [byte] for all buffers
  const OpenClHandle<cl_context> context;
  const OpenClHandle<cl_command_queue> own_queue;  ///< for commands that allocation enqueues
  std::mutex own_queue_mutex;
  std::atomic<std::size_t> taken{0};  ///< [byte] of capacity
};

class OpenClBuffer : public GpuBuffer {
 public:
  /// Throws Error(out_of_memory).
  OpenClBuffer(std::shared_ptr<OpenClContext> context, std::size_t bytes);
  ~OpenClBuffer() override;
  [[nodiscard]] std::size_t bytes() const override { return bytes_; }
  [[nodiscard]] cl_mem memory() const { return memory_.get(); }

 private:
  void create();

  std::shared_ptr<OpenClContext> context_;
  std::size_t bytes_;
  std::size_t taken_;
  OpenClHandle<cl_mem> memory_{nullptr, nullptr};
};

using OpenClProgram = std::shared_ptr<OpenClHandle<cl_program>>;

/// A kernel with arguments of its own. Used by one thread at a time.
class OpenClKernel : public GpuKernel {
 public:
  OpenClKernel(std::shared_ptr<OpenClContext> context, OpenClProgram program, std::string name);
  [[nodiscard]] double occupancy(unsigned) const override { return 0; }
  /// The same kernel without its arguments.
  [[nodiscard]] std::shared_ptr<OpenClKernel> clone() const;
  void set(const GpuArgument* arguments, std::size_t count) const;
  [[nodiscard]] cl_int enqueue(cl_command_queue queue, const GpuGrid& grid) const;

 private:
  std::shared_ptr<OpenClContext> context_;
  OpenClProgram program_;
  OpenClHandle<cl_kernel> kernel_;
};

std::unique_ptr<GpuQueue> make_opencl_queue(std::shared_ptr<OpenClContext> context);

}  // namespace octavo
