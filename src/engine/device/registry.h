// The devices of this machine that DeviceOptions name. The options are resolved once, when an object is made, and the
// result is passed on, so names are parsed in one place. A process looks for the devices of a name once.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "engine/device/cpu_isa.h"
#include "engine/device/cpu_pool.h"
#include "engine/device/gpu.h"
#include "octavo/device.h"

namespace OCTAVO_INTERNAL_API octavo {

enum class DeviceKind { reference, cpu, gpu };

/// A device of this machine and the options for its use.
struct ResolvedDevice {
  DeviceKind kind = DeviceKind::cpu;
  std::string driver;          ///< "cuda" or "opencl"; empty if it is not a GPU
  int index = 0;               ///< number among the GPUs of its driver
  Isa isa;                     ///< instruction set of the CPU; valid on every device
  int thread_option = 0;       ///< DeviceOptions::threads; valid on every device
  std::size_t gpu_memory = 0;  ///< [byte] DeviceOptions::gpu_memory
  GpuOpener open;              ///< empty if it is not a GPU
  ProgressSink progress;       ///< DeviceOptions::progress

  [[nodiscard]] bool is_gpu() const { return kind == DeviceKind::gpu; }

  /// "cpu", "reference", "cuda:0" …, never "auto".
  [[nodiscard]] std::string name() const;
  /// The name of the CPU's instruction set; "scalar" for the reference; the driver's name for a GPU.
  [[nodiscard]] std::string isa_name() const;
  /// The greatest number of CPU threads that it uses if it is called from the current thread now.
  [[nodiscard]] int threads() const;

  /// Opens a GPU. Each call opens it anew, and the objects share no state. Throws Error(device_unavailable).
  [[nodiscard]] std::shared_ptr<Gpu> open_gpu() const { return open(gpu_memory, progress); }
  /// The threads for the host's part of the work.
  [[nodiscard]] CpuPool cpu_pool() const { return CpuPool(thread_option, progress); }
};

/// The devices that the options name, at least one. "auto" is the best device. Several GPUs are separated by commas.
/// "cuda:all" is every conformant device of that driver. A GPU that is named twice appears twice. A wrong instruction
/// set or number of threads is an error on every device. Throws Error(invalid_option). Throws Error(device_unavailable)
/// that names the known devices or says why there are none of that kind.
std::vector<ResolvedDevice> resolve_devices(const DeviceOptions& options);

/// The first of the devices that the options name, for work on one device.
ResolvedDevice resolve_device(const DeviceOptions& options);

}  // namespace octavo
