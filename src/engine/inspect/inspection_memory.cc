// The memory of an inspection. The extraction comes first. Its buffers are given back before the planes of the first
// octave, the largest, are made. So the inspection takes the more of the two.

#include "engine/inspect/inspection_memory.h"

#include <algorithm>

#include "engine/core/check_image.h"
#include "engine/device/gpu_dry_run.h"
#include "engine/device/host_memory.h"
#include "octavo/extractor.h"

namespace octavo {
namespace inspection {
void require_memory(const Inspector& inspector, const ImageView& image, const DeviceOptions& device,
                    const MemoryNeed& files) {
  check_image_shape(image);
  const MemoryNeed need = inspector.memory_of_planes(image, device) + files;
  require_host_memory(need.least.host, 0, "the inspection of an image of " + size_text(image) + " pixels");
}

MemoryEstimate estimate_of(const Inspector& inspector, const ImageView& image, bool masked,
                           const DeviceOptions& device) {
  const DetectorOptions& options = inspector.options();
  if (!inspector.finds_keypoints()) {
    check_image_shape(image);
    MemoryEstimate estimate = estimate_on("cpu", nullptr, inspector.memory_of_planes(image, device));
    estimate.octaves = static_cast<int>(inspector.size_for(image).octaves);
    return estimate;
  }
  MemoryEstimate estimate = make_extractor(options, device).estimate(image, masked).front();
  const MemoryNeed planes = inspector.memory_of_planes(image, device);
  estimate.need.least.host = std::max(estimate.need.least.host, planes.least.host);
  estimate.need.usual.host = std::max(estimate.need.usual.host, planes.usual.host);
  estimate.in_flight = 1;
  estimate.each_further = {};
  return estimate;
}

}  // namespace inspection

MemoryEstimate estimate_inspection(const ImageView& image, bool masked, const DetectorOptions& options,
                                   const DeviceOptions& device) {
  return inspection::estimate_of(*inspection::inspector_of(options), image, masked, device);
}

}  // namespace octavo
