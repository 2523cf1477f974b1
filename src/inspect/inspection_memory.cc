// The memory of an inspection. The extraction comes first. Its buffers are given back before the planes of the first
// octave, the largest, are made. So the inspection takes the more of the two. Writing the files comes on top.

#include "inspect/inspection_memory.h"

#include <algorithm>
#include <cstdint>

#include "core/check_image.h"
#include "core/plane.h"
#include "core/scratch.h"
#include "device/cpu_isa.h"
#include "device/cpu_pool.h"
#include "device/gpu_dry_run.h"
#include "device/host_memory.h"
#include "octavo/extractor.h"
#include "octavo/inspect.h"
#include "scale_space/octave_tiles_cpu.h"
#include "sift/extrema.h"
#include "sift/trilateral_octaves_cpu.h"
#include "sift/usual_keypoints.h"

namespace octavo {
namespace inspection {
namespace {

std::uint64_t pixels_of(Size size) {
  return static_cast<std::uint64_t>(size.width) * static_cast<std::uint64_t>(size.height);
}

// A usual keypoint comes from one of three candidates.
std::uint64_t usual_candidates(Size first) { return 3 * usual_keypoints(pixels_of(first)); }

}  // namespace

MemoryNeed memory_of_planes(const ImageView& image, const SiftOptions& options, const DeviceOptions& device) {
  const ScaleSpacePlan plan = plan_scale_space(image.width, image.height, options);
  MemoryNeed need;
  if (plan.octaves.empty()) return need;
  const Isa isa = find_isa(device.isa);
  CpuPool pool(device.threads);
  const Size first = plan.octaves.front();
  const std::uint64_t plane = Plane::bytes_of(first.width, first.height);
  const Size next = plan.octaves.size() > 1 ? plan.octaves[1] : Size{0, 0};
  // The images of the octave, a difference, and the first image of the next octave, twice.
  const auto levels = static_cast<std::uint64_t>(plan.levels());
  need.least.host = (levels + 1) * plane + 2 * Plane::bytes_of(next.width, next.height);
  need.usual = need.least;

  if (options.smoothing == Smoothing::trilateral) {
    need += TrilateralOctavesCpu(options, isa, pool).memory_for(image, plan);
  } else {
    const std::uint64_t rings =
        OctaveTilesCpu(isa, pool).bytes_for({.plan = &plan, .size = first, .image = &image, .keep = {}});
    need.usual.host += rings + static_cast<std::uint64_t>(pool.threads()) * scratch_of_thread;
  }
  // Lists double when they grow. Each value of a sample of the differences is there twice.
  constexpr std::uint64_t sample = std::uint64_t{1} << 18;
  need.usual.host += (levels - 1) * std::min(sample, pixels_of(first)) * 3 * sizeof(float);
  need.usual.host += usual_candidates(first) * 2 * (sizeof(reference::Trial) + sizeof(Candidate));
  need.usual.host += usual_keypoints(pixels_of(first)) * (sizeof(Keypoint) + descriptor_length);
  return need;
}

MemoryNeed memory_of_files(const ImageView& image, const SiftOptions& options, const InspectionFolderOptions& files) {
  const ScaleSpacePlan plan = plan_scale_space(image.width, image.height, options);
  MemoryNeed need;
  if (plan.octaves.empty()) return need;
  const Size first = plan.octaves.front();
  const std::uint64_t pixels = pixels_of(first);
  const bool whole = files.full || files.floats;
  if (files.packed && whole) need.least.host += 4 * pixels * sizeof(float);
  need.usual = need.least;
  // A picture in full size is there as pixels and as a file, a drawing on the image with three channels.
  if (files.full) need.usual.host += std::max<std::uint64_t>(2 * pixels, 6 * pixels_of({image.width, image.height}));
  const std::uint64_t pixels_of_file = files.packed && whole ? 4 * pixels : pixels;
  if (files.floats) {
    need.usual.host += pixels_of_file * sizeof(float);
  } else if (files.packed && whole) {
    need.usual.host += pixels_of_file * 2;
  }
  // The page holds a picture of at most 512 × 512 pixels for each plane.
  constexpr std::uint64_t thumbnail = std::uint64_t{512} << 10;
  need.usual.host += plan.octaves.size() * static_cast<std::uint64_t>(2 * plan.levels()) * thumbnail;
  // [byte] in inspect.json; its text is copied twice.
  constexpr std::uint64_t text_of_candidate = 190, text_of_keypoint = 150, copies = 3;
  need.usual.host +=
      copies * (usual_candidates(first) * text_of_candidate + usual_keypoints(pixels) * text_of_keypoint);
  return need;
}

void require_memory(const ImageView& image, const SiftOptions& options, const DeviceOptions& device,
                    const InspectionFolderOptions& files) {
  validate(options);
  check_image_shape(image);
  const MemoryNeed need = memory_of_planes(image, options, device) + memory_of_files(image, options, files);
  require_host_memory(need.least.host, 0, "the inspection of an image of " + size_text(image) + " pixels");
}

}  // namespace inspection

MemoryEstimate estimate_inspection(const ImageView& image, bool masked, const SiftOptions& options,
                                   const DeviceOptions& device) {
  if (!finds_keypoints(options)) {
    validate(options);
    check_image_shape(image);
    MemoryEstimate estimate = estimate_on("cpu", nullptr, inspection::memory_of_planes(image, options, device));
    estimate.octaves = static_cast<int>(plan_scale_space(image.width, image.height, options).octaves.size());
    return estimate;
  }
  MemoryEstimate estimate = Extractor(options, device).estimate(image, masked).front();
  const MemoryNeed planes = inspection::memory_of_planes(image, options, device);
  estimate.need.least.host = std::max(estimate.need.least.host, planes.least.host);
  estimate.need.usual.host = std::max(estimate.need.usual.host, planes.usual.host);
  estimate.in_flight = 1;
  estimate.each_further = {};
  return estimate;
}

MemoryEstimate estimate_inspection(const ImageView& image, bool masked, const SiftOptions& sift,
                                   const DeviceOptions& device, const InspectionFolderOptions& files) {
  MemoryEstimate estimate = estimate_inspection(image, masked, sift, device);
  estimate.need += inspection::memory_of_files(image, sift, files);
  return estimate;
}

}  // namespace octavo
