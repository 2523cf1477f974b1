// The interface of every detector on every device: the features of one image at a time. Images in flight, several
// devices and the public Extractor are built on it and are the same for all detectors.

#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "engine/device/cpu_pool.h"
#include "engine/device/gpu.h"
#include "engine/device/gpu_buffer_pool.h"
#include "engine/device/registry.h"
#include "engine/extract/describer.h"
#include "engine/extract/features_on_gpu.h"
#include "octavo/device.h"
#include "octavo/extractor.h"

namespace octavo {

/// One image and the kind of result to produce.
struct DetectorJob {
  /// Valid. Like the mask, it need not outlive `begin`.
  ImageView image;
  /// The image on the device if `image` has no pixels; its memory is one that `gpu` recognises.
  const DeviceImage* on_device = nullptr;
  const ImageView* mask = nullptr;  ///< valid, or null
  bool timed = false;               ///< `finish` returns the times of the stages
  /// Where the features stay. A device that is not a GPU always keeps them in host memory.
  Keep keep = Keep::in_host_memory;
};

/// The features of an image, in the memory where the detector left them.
struct DetectedFeatures {
  Features features;                            ///< in host memory, unless `on_gpu` is set
  std::shared_ptr<const FeaturesOnGpu> on_gpu;  ///< in the memory of the GPU
};

/// Works on one image at a time. Not shared between threads.
class Detector {
 public:
  virtual ~Detector() = default;

  /// Starts an image. On a GPU it returns before the work is done; elsewhere it does the work.
  virtual void begin(const DetectorJob& job) = 0;

  /// Returns the features of the last image that was begun, and the times of its stages. Throws the error of that
  /// image; the detector can begin again after it.
  virtual DetectedFeatures finish(std::vector<StageTime>* times) = 0;

  /// The memory that this detector takes for images of the shape of `image`, whose pixels are not read.
  [[nodiscard]] virtual MemoryNeed memory_for(const ImageView& image, bool masked) const = 0;
};

/// A detector on one device. `make` is called once for each image in flight.
struct DetectorOnDevice {
  ResolvedDevice device;
  std::shared_ptr<Gpu> gpu;  ///< opened; null if the device is not a GPU
  std::function<std::unique_ptr<Detector>()> make;
  /// Makes what describes keypoints that the caller gives; empty if the detector has no descriptors.
  std::function<std::unique_ptr<Describer>()> make_describer{};

  /// True if `begin` returns before the work is done and several detectors run at a time.
  [[nodiscard]] bool is_asynchronous() const { return gpu != nullptr; }
};

/// The same detector on each device of an Extractor; at least one device.
struct DetectorOnDevices {
  explicit DetectorOnDevices(std::vector<DetectorOnDevice> devices) : each(std::move(devices)) {}
  std::vector<DetectorOnDevice> each;
  /// The number of octaves of an image of this size.
  std::function<int(int width, int height)> octaves = [](int, int) { return 0; };
};

/// The objects that the detectors of one GPU share.
struct GpuShare {
  std::shared_ptr<Gpu> gpu;
  std::shared_ptr<GpuBufferPool> buffers;  ///< for features that stay on the GPU
  /// Threads that stage images. Only one detector begins at a time.
  std::shared_ptr<CpuPool> threads;
  ProgressSink progress;
};

/// Makes a detector for each device. `make_on_host` makes it on the CPU or the reference, `make_on_gpu` on a GPU.
/// Throws the errors of resolve_devices.
DetectorOnDevices on_each_device(const DeviceOptions& options,
                                 const std::function<std::unique_ptr<Detector>(const ResolvedDevice&)>& make_on_host,
                                 const std::function<std::unique_ptr<Detector>(const GpuShare&)>& make_on_gpu);

}  // namespace octavo
