// The memory of an inspection. The extraction comes first. Its buffers are given back before the planes of the first
// octave, the largest, are made. So the inspection takes the more of the two. Writing the files comes on top.

#include "inspect/inspection_memory.h"

#include <algorithm>
#include <cstdint>

#include "core/check_image.h"
#include "device/gpu_dry_run.h"
#include "device/host_memory.h"
#include "octavo/extractor.h"

namespace octavo {
namespace inspection {
namespace {

std::uint64_t pixels_of(int width, int height) {
  return static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
}

}  // namespace

MemoryNeed memory_of_files(const Inspector& inspector, const ImageView& image, const InspectionFolderOptions& files) {
  const InspectionSize size = inspector.size_for(image);
  MemoryNeed need;
  if (size.octaves == 0) return need;
  const std::uint64_t pixels = pixels_of(size.largest.width, size.largest.height);
  const bool whole = files.full || files.floats;
  if (files.packed && whole) need.least.host += 4 * pixels * sizeof(float);
  need.usual = need.least;
  // A picture in full size is there as pixels and as a file, a drawing on the image with three channels.
  if (files.full) need.usual.host += std::max<std::uint64_t>(2 * pixels, 6 * pixels_of(image.width, image.height));
  const std::uint64_t pixels_of_file = files.packed && whole ? 4 * pixels : pixels;
  if (files.floats) {
    need.usual.host += pixels_of_file * sizeof(float);
  } else if (files.packed && whole) {
    need.usual.host += pixels_of_file * 2;
  }
  // The page holds a picture of at most 512 × 512 pixels for each plane.
  constexpr std::uint64_t thumbnail = std::uint64_t{512} << 10;
  need.usual.host += size.planes * thumbnail;
  // [byte] in inspect.json; its text is copied twice.
  constexpr std::uint64_t text_of_candidate = 190, text_of_keypoint = 150, copies = 3;
  need.usual.host += copies * (size.candidates * text_of_candidate + size.keypoints * text_of_keypoint);
  return need;
}

void require_memory(const Inspector& inspector, const ImageView& image, const DeviceOptions& device,
                    const InspectionFolderOptions& files) {
  check_image_shape(image);
  const MemoryNeed need = inspector.memory_of_planes(image, device) + memory_of_files(inspector, image, files);
  require_host_memory(need.least.host, 0, "the inspection of an image of " + size_text(image) + " pixels");
}

}  // namespace inspection

namespace {

MemoryEstimate estimate_of(const inspection::Inspector& inspector, const ImageView& image, bool masked,
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

}  // namespace

MemoryEstimate estimate_inspection(const ImageView& image, bool masked, const DetectorOptions& options,
                                   const DeviceOptions& device) {
  return estimate_of(*inspection::inspector_of(options), image, masked, device);
}

MemoryEstimate estimate_inspection(const ImageView& image, bool masked, const DetectorOptions& detector,
                                   const DeviceOptions& device, const InspectionFolderOptions& files) {
  const auto inspector = inspection::inspector_of(detector);
  inspection::require_effects(*inspector, files);
  MemoryEstimate estimate = estimate_of(*inspector, image, masked, device);
  estimate.need += inspection::memory_of_files(*inspector, image, files);
  return estimate;
}

}  // namespace octavo
