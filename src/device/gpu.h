// A GPU as the algorithms see it, whatever driver stands behind it: memory, kernels, queues, events, recorded work.
// One file implements it for the CUDA driver API, one for OpenCL; both open their driver at run time.
//
// A kernel is written once, in the subset that CUDA C++ and OpenCL C share (maths/kernel_words.h). The work of a queue
// runs in the order in which it was enqueued; queues run beside each other. Errors of the driver come out as
// octavo::Error; an object that threw can still be destroyed, and a device that is not lost can still be used.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace octavo {

/// The kernels of one folder as the build embedded them.
struct KernelModule {
  const char* name;             ///< of the folder, for messages and the cache
  const char* text;             ///< OpenCL C, includes expanded
  const unsigned char* fatbin;  ///< for the CUDA driver; null where the build had no nvcc
  std::size_t fatbin_bytes;
};

/// What a GPU is and can do.
struct GpuFacts {
  std::string name;         ///< "cuda:0", "opencl:1"
  std::string description;  ///< for people: product, driver
  bool conformant = false;  ///< keeps the contract of docs/numerics.md
  std::string shortcoming;  ///< why not
  bool is_cpu = false;      ///< an OpenCL device that is the CPU
  int compute_units = 1;
  std::size_t memory_bytes = 0;
  std::size_t largest_buffer = 0;  ///< [byte] of one GpuBuffer
};

/// Memory on the device. Freed at the end of its life, which waits for nothing: whoever frees it has waited.
class GpuBuffer {
 public:
  virtual ~GpuBuffer() = default;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// Memory of the host that the device reads and writes at full speed.
class GpuPinned {
 public:
  virtual ~GpuPinned() = default;
  [[nodiscard]] virtual std::byte* data() = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

class GpuKernel {
 public:
  virtual ~GpuKernel() = default;
  /// How many of the threads that a multiprocessor can hold it holds of this kernel, in groups of so many: 0…1, or 0
  /// where the driver cannot tell.
  [[nodiscard]] virtual double occupancy(unsigned threads_of_group) const = 0;
};

/// A moment in a queue's work.
class GpuEvent {
 public:
  virtual ~GpuEvent() = default;
  /// Until the work before it is done. Throws what went wrong in it.
  virtual void wait() = 0;
  /// From `earlier`, on the device's own clock. Both are done.
  [[nodiscard]] virtual double milliseconds_since(const GpuEvent& earlier) const = 0;
};

/// Work that was recorded and can be run again, with the buffers and values it was recorded with.
class GpuRecording {
 public:
  virtual ~GpuRecording() = default;
};

/// One argument of a kernel: a buffer, or the bytes of a value.
struct GpuArgument {
  const GpuBuffer* buffer = nullptr;
  const void* value = nullptr;
  std::size_t bytes = 0;

  GpuArgument(const GpuBuffer& b) : buffer(&b) {}  // NOLINT(google-explicit-constructor): f(buffer, 3)
  template <class T>
  requires(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>) GpuArgument(const T& v)
      : value(&v), bytes(sizeof(T)) {}  // NOLINT(google-explicit-constructor)
};

/// How many work-groups, and threads in each, along x, y, z.
struct GpuGrid {
  std::array<unsigned, 3> groups{1, 1, 1};
  std::array<unsigned, 3> threads{1, 1, 1};
  /// The kernel begins with await_previous_kernel() (kernel_words.h): its groups may take their places while the launch
  /// before it ends. For short kernels: groups that wait take room from groups that work.
  bool early = false;
};

/// Rows of bytes in the device's memory that somebody else keeps there.
struct GpuForeignRows {
  const void* data;
  std::size_t stride;     ///< [byte] from row to row, at least row_bytes
  std::size_t row_bytes;  ///< at least 1, as is `rows`
  std::size_t rows;
  void* stream;  ///< the driver's own handle of the stream in whose order they are read
};

/// One thread at a time, but that several may upload at once, in no order.
class GpuQueue {
 public:
  virtual ~GpuQueue() = default;

  template <class... Arguments>
  void launch(const GpuKernel& kernel, const GpuGrid& grid, const Arguments&... arguments) {
    const GpuArgument list[] = {GpuArgument(arguments)...};
    launch_list(kernel, grid, list, sizeof...(Arguments));
  }
  /// `host` stays valid until the queue is done with it; at full speed if it lies in GpuPinned.
  virtual void upload(GpuBuffer& to, std::size_t offset, const void* host, std::size_t bytes) = 0;
  virtual void download(void* host, const GpuBuffer& from, std::size_t offset, std::size_t bytes) = 0;
  /// Within the device. `from` may be of another Gpu that shares memory with this one.
  virtual void copy(GpuBuffer& to, std::size_t to_offset, const GpuBuffer& from, std::size_t from_offset,
                    std::size_t bytes) = 0;
  /// Packs the rows at the start of `to`: after what their stream was given before, and before what it is given from
  /// now on. Never recorded. Only for memory that the Gpu recognises; throws Error(invalid_argument) for a stream it
  /// cannot use.
  virtual void copy_foreign(GpuBuffer& to, const GpuForeignRows& rows) = 0;
  /// Sets bytes to 0; offset and bytes are multiples of 4.
  virtual void clear(GpuBuffer& buffer, std::size_t offset, std::size_t bytes) = 0;

  /// Between these two, launches, copies and clears are recorded, not run.
  virtual void begin_recording() = 0;
  virtual std::unique_ptr<GpuRecording> end_recording() = 0;
  virtual void replay(const GpuRecording& recording) = 0;

  virtual std::unique_ptr<GpuEvent> event() = 0;
  /// What is enqueued here from now on waits for `event` of another queue of the same device.
  virtual void wait_for(const GpuEvent& event) = 0;

  /// A queue for work that may run beside what is enqueued here later. It waits for what is enqueued here until now,
  /// each time it is asked for; `join` makes what is enqueued here later wait for it. There are as many as are asked
  /// for, numbered from 0. In a recording every fork is joined; a branch that is not forked has nothing to join. Where
  /// the driver gains nothing it is this queue itself.
  virtual GpuQueue& fork(std::size_t branch) = 0;
  virtual void join(std::size_t branch) = 0;
  /// Until everything enqueued is done. Throws what went wrong in it.
  virtual void wait() = 0;

 protected:
  virtual void launch_list(const GpuKernel& kernel, const GpuGrid& grid, const GpuArgument* arguments,
                           std::size_t count) = 0;
};

/// One GPU, opened. Shared by everything that lives on it.
class Gpu {
 public:
  virtual ~Gpu() = default;
  [[nodiscard]] virtual const GpuFacts& facts() const = 0;
  /// Throws Error(out_of_memory) with the bytes asked for and the bytes free.
  virtual std::unique_ptr<GpuBuffer> allocate(std::size_t bytes) = 0;
  virtual std::unique_ptr<GpuPinned> allocate_pinned(std::size_t bytes) = 0;
  /// The module is loaded (CUDA) or built (OpenCL) at first use and kept. Throws Error(device_unavailable) with the
  /// driver's own words where it cannot be.
  virtual std::unique_ptr<GpuKernel> kernel(const KernelModule& module, const char* name) = 0;
  virtual std::unique_ptr<GpuQueue> queue() = 0;
  /// Whether the address is that of memory of this device, whoever allocated it. Never with OpenCL, which has none.
  [[nodiscard]] virtual bool recognises(const void* address) const = 0;
  /// Whether the device reads this memory of the host at full speed where it lies: it is pinned, by whomever.
  [[nodiscard]] virtual bool reads_directly(const void* host, std::size_t bytes) const = 0;
  /// Whether queues of this one can read buffers of the other.
  [[nodiscard]] virtual bool shares_memory_with(const Gpu& other) const = 0;
};

/// What a driver found on this machine.
struct GpuDriver {
  std::vector<GpuFacts> gpus;
  std::string missing;  ///< why there are none; empty where there are some
};

/// Looks for GPUs; never throws for missing hardware or drivers.
GpuDriver find_cuda_gpus();
GpuDriver find_opencl_gpus();

/// Opens the index-th. Every call opens anew: two objects never meet. `memory_limit` [byte] bounds what its buffers
/// take together (0: what the device has). Throws Error(device_unavailable).
std::shared_ptr<Gpu> open_cuda_gpu(int index, std::size_t memory_limit);
std::shared_ptr<Gpu> open_opencl_gpu(int index, std::size_t memory_limit);

}  // namespace octavo
