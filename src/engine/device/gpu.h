// A GPU as the algorithms use it, for any driver: memory, kernels, queues, events, recorded work.
// One file implements it for the CUDA driver API, one for OpenCL. Both open their driver at run time.
//
// A kernel is written once, in the common subset of CUDA C++ and OpenCL C (maths/kernel_primitives.h). The work of a
// queue runs in the order in which it is enqueued; different queues run concurrently. Errors of the driver become
// octavo::Error. An object that threw can still be destroyed, and a device that is not lost can still be used.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/core/internal_api.h"
#include "engine/device/gpu_grid.h"
#include "octavo/progress.h"

namespace OCTAVO_INTERNAL_API octavo {

/// The kernels of one folder, embedded by the build.
struct KernelModule {
  const char* name;             ///< of the folder, for messages and the cache
  const char* text;             ///< OpenCL C, includes expanded
  const unsigned char* fatbin;  ///< for the CUDA driver; null if the build had no nvcc
  std::size_t fatbin_bytes;
  bool is_kept = true;  ///< what a driver compiles from the text is kept for later processes
};

/// The identity and the capabilities of a GPU.
struct GpuFacts {
  std::string name;  ///< "cuda:0", "opencl:1"
  /// "cuda" or "opencl". For "cuda" a module's version in CUDA C++ runs, if it has one.
  std::string driver;
  std::string description;  ///< product and driver, for display
  bool conformant = false;  ///< it keeps the contract of docs/numerics.md
  std::string shortcoming;  ///< reason if it is not conformant
  bool usable = true;       ///< false: even a call that names the device is refused, because of its shortcoming
  /// What compiles the kernels on this machine, with versions and settings; empty if the build compiled them. Devices
  /// with equal text get equal code.
  std::string compiler;
  bool is_cpu = false;  ///< an OpenCL device that is the CPU
  int compute_units = 1;
  std::size_t memory_bytes = 0;
  std::size_t largest_buffer = 0;  ///< [byte] of one GpuBuffer
};

/// Memory on the device. The destructor frees it without waiting: the owner must have waited for the work on it.
class GpuBuffer {
 public:
  virtual ~GpuBuffer() = default;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  /// The address of the memory for other libraries on the device; null if it has none (OpenCL).
  [[nodiscard]] virtual const void* pointer() const { return nullptr; }
  /// Waits for all work of the device, that of other libraries too. Does nothing where memory has no address.
  virtual void wait_for_readers() const {}
};

/// Host memory that the device reads and writes at full speed (pinned).
class GpuPinned {
 public:
  virtual ~GpuPinned() = default;
  [[nodiscard]] virtual std::byte* data() = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

class GpuKernel {
 public:
  explicit GpuKernel(std::string name) : name_(std::move(name)) {}
  virtual ~GpuKernel() = default;
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The share of a multiprocessor's threads that this kernel can occupy with groups of this many threads: 0…1, or 0 if
  /// the driver cannot tell.
  [[nodiscard]] virtual double occupancy(unsigned threads_of_group) const = 0;

 private:
  std::string name_;
};

/// A point in the work of a queue.
class GpuEvent {
 public:
  virtual ~GpuEvent() = default;
  /// Waits until the work before it is done. Throws the errors of that work.
  virtual void wait() = 0;
  /// The time since `earlier` by the clock of the device [ms]. Both events are done.
  [[nodiscard]] virtual double milliseconds_since(const GpuEvent& earlier) const = 0;
};

/// Recorded work, which can run again with the buffers and values of the recording.
class GpuRecording {
 public:
  virtual ~GpuRecording() = default;
};

/// One argument of a kernel: a buffer, or the bytes of a value.
struct GpuArgument {
  const GpuBuffer* buffer = nullptr;
  const void* value = nullptr;
  std::size_t bytes = 0;

  // Not explicit, so that launch takes buffers and values as they are.
  // NOLINTBEGIN(google-explicit-constructor)
  GpuArgument(const GpuBuffer& b) : buffer(&b) {}
  template <class T>
  requires(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>) GpuArgument(const T& v)
      : value(&v), bytes(sizeof(T)) {}
  // NOLINTEND(google-explicit-constructor)
};

/// Rows of bytes in device memory that is not owned by Octavo.
struct GpuForeignRows {
  const void* data;
  std::size_t stride;     ///< [byte] from row to row, at least row_bytes
  std::size_t row_bytes;  ///< at least 1, as is `rows`
  std::size_t rows;
  /// The driver's handle of the stream that orders the reads.
  void* stream;
};

/// Used by one thread at a time, except that several threads may upload at once, in no order.
class GpuQueue {
 public:
  virtual ~GpuQueue() = default;

  /// Throws Error(invalid_argument) for a grid that check_grid refuses, with any driver.
  template <class... Arguments>
  void launch(const GpuKernel& kernel, const GpuGrid& grid, const Arguments&... arguments) {
    check_grid(kernel.name(), grid);
    const GpuArgument list[] = {GpuArgument(arguments)...};
    launch_list(kernel, grid, list, sizeof...(Arguments));
  }
  /// `host` must stay valid until the queue is done with it. Full speed needs memory of GpuPinned.
  virtual void upload(GpuBuffer& to, std::size_t offset, const void* host, std::size_t bytes) = 0;
  virtual void download(void* host, const GpuBuffer& from, std::size_t offset, std::size_t bytes) = 0;
  /// Copies within the device. `from` may belong to another Gpu that shares memory with this one.
  virtual void copy(GpuBuffer& to, std::size_t to_offset, const GpuBuffer& from, std::size_t from_offset,
                    std::size_t bytes) = 0;
  /// Copies the rows to the start of `to`, without gaps. The copy runs after the earlier work of their stream and
  /// before its later work. It is never recorded. Only for memory that the Gpu recognises. Throws
  /// Error(invalid_argument) for a stream that it cannot use.
  virtual void copy_foreign(GpuBuffer& to, const GpuForeignRows& rows) = 0;
  /// Sets bytes to 0. The offset and the number of bytes are multiples of 4.
  virtual void clear(GpuBuffer& buffer, std::size_t offset, std::size_t bytes) = 0;

  /// Between these two calls, launches, copies and clears are recorded and not run.
  virtual void begin_recording() = 0;
  virtual std::unique_ptr<GpuRecording> end_recording() = 0;
  virtual void replay(const GpuRecording& recording) = 0;

  virtual std::unique_ptr<GpuEvent> event() = 0;
  /// Later work of this queue waits for `event`, which is of another queue of the same device.
  virtual void wait_for(const GpuEvent& event) = 0;

  /// Returns a queue whose work may run concurrently with later work of this queue. At each call its later work waits
  /// for the earlier work of this queue. After `join`, later work of this queue waits for the branch. Branches have
  /// numbers from 0; there can be any number of them. In a recording every fork must be joined. The join of a branch
  /// that is not forked does nothing. If the driver gains nothing from branches, this queue itself is returned.
  virtual GpuQueue& fork(std::size_t branch) = 0;
  virtual void join(std::size_t branch) = 0;
  /// Waits until all enqueued work is done. Throws the errors of that work.
  virtual void wait() = 0;

 protected:
  virtual void launch_list(const GpuKernel& kernel, const GpuGrid& grid, const GpuArgument* arguments,
                           std::size_t count) = 0;
};

/// One opened GPU. All objects on it share it.
class Gpu {
 public:
  virtual ~Gpu() = default;
  [[nodiscard]] virtual const GpuFacts& facts() const = 0;
  /// Throws Error(out_of_memory) with the bytes requested and the bytes free.
  virtual std::unique_ptr<GpuBuffer> allocate(std::size_t bytes) = 0;
  virtual std::unique_ptr<GpuPinned> allocate_pinned(std::size_t bytes) = 0;
  /// The module is loaded (CUDA) or built (OpenCL) at first use and kept. Throws Error(device_unavailable) with the
  /// driver's message if that fails.
  virtual std::unique_ptr<GpuKernel> kernel(const KernelModule& module, const char* name) = 0;
  virtual std::unique_ptr<GpuQueue> queue() = 0;
  /// [byte] The sizes of its buffers at present, added up.
  [[nodiscard]] virtual std::size_t taken_bytes() const = 0;
  /// [byte] What further buffers can take at present: within the limit of its memory, and as far as the driver knows.
  [[nodiscard]] virtual std::size_t free_bytes() const = 0;
  /// True if the address is in memory of this device, from any allocator. Always false on OpenCL, which has no such
  /// addresses.
  [[nodiscard]] virtual bool recognises(const void* address) const = 0;
  /// True if the device reads this host memory in place at full speed, because it is pinned, by any library.
  [[nodiscard]] virtual bool reads_directly(const void* host, std::size_t bytes) const = 0;
  /// True if queues of this Gpu can read buffers of the other.
  [[nodiscard]] virtual bool shares_memory_with(const Gpu& other) const = 0;
};

/// Opens a GPU that was found. Each call opens it anew, and the objects share no state. `memory_limit` [byte] bounds
/// the total of its buffers (0: all memory of the device). `progress` is told when kernels are built. Throws
/// Error(device_unavailable).
using GpuOpener = std::function<std::shared_ptr<Gpu>(std::size_t memory_limit, const ProgressSink& progress)>;

struct FoundGpu {
  GpuFacts facts;
  GpuOpener open;
};

/// The GPUs that a driver found on this machine.
struct GpuDriver {
  std::vector<FoundGpu> gpus;
  std::string missing;  ///< the reason if there are no GPUs; otherwise empty
};

/// Looks for GPUs. Missing hardware or a missing driver is not an error.
GpuDriver find_cuda_gpus();
GpuDriver find_opencl_gpus();

}  // namespace octavo
