// From a valid image to features, one image at a time: what an Extractor runs, whatever its device.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "device/features_on_gpu.h"
#include "octavo/extractor.h"

namespace octavo {

/// What an extraction found.
struct Extracted {
  Features features;                            ///< in host memory, unless they are
  std::shared_ptr<const FeaturesOnGpu> on_gpu;  ///< left there
};

/// What is asked of an extraction.
struct ExtractionJob {
  ImageView image;                         ///< valid; like the mask, it need not outlive begin
  const DeviceImage* on_device = nullptr;  ///< where its pixels are, if `image` has none: memory that `gpu` recognises
  const ImageView* mask = nullptr;         ///< valid, or none
  bool timed = false;                      ///< finish will be asked for times
  Keep keep = Keep::in_host_memory;        ///< a device that is no GPU has no other place
};

/// What the buffers and the recorded work of an extraction depend on.
struct ImageShape {
  int width, height, channels;
  PixelType type;
  bool masked;
  friend bool operator==(const ImageShape&, const ImageShape&) = default;
};
inline ImageShape shape_of(const ExtractionJob& job) {
  return {job.image.width, job.image.height, job.image.channels, job.image.type, job.mask != nullptr};
}

class Extraction {
 public:
  virtual ~Extraction() = default;

  virtual void begin(const ExtractionJob& job) = 0;

  /// The features of the image begun last. Throws what went wrong, and can begin again.
  virtual Extracted finish(std::vector<StageTime>* times) = 0;
};

/// Extractions of one kind on one device.
struct Extractions {
  std::string device;         ///< "cpu", "reference", "cuda:0" …
  std::string isa;            ///< the instruction set; "scalar" for the reference; "cuda" or "opencl" for a GPU
  int threads = 1;            ///< of the CPU, at most
  std::shared_ptr<Gpu> gpu;   ///< or none
  bool asynchronous = false;  ///< begin returns before the work is done, and several extractions run at a time
  std::function<std::unique_ptr<Extraction>()> make;
};

/// One for each device that is named. Throws Error(invalid_option) or Error(device_unavailable).
std::vector<Extractions> make_extractions(const SiftOptions& options, const DeviceOptions& device);

}  // namespace octavo
