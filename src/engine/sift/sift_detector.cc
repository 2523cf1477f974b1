// SIFT on each device: its engine, for work stage by stage, and its detector, for whole images.

#include "octavo/extractor.h"

#include "engine/extract/detector.h"
#include "engine/extract/detector_gpu.h"
#include "engine/scale_space/plan.h"
#include "engine/sift/detector_staged.h"
#include "engine/sift/engine.h"
#include "engine/sift/engine_cpu.h"
#include "engine/sift/engine_gpu.h"
#include "engine/sift/engine_reference.h"
#include "engine/sift/sift_describer.h"
#include "engine/sift/sift_gpu.h"

namespace octavo {

std::unique_ptr<SiftEngine> make_engine(const SiftOptions& options, const ResolvedDevice& device) {
  validate(options);
  require_keypoints(options);
  if (device.is_gpu()) return make_gpu_engine(options, device.open_gpu());
  if (device.kind == DeviceKind::cpu) return make_cpu_engine(options, device.isa, device.cpu_pool());
  return make_reference_engine(options);
}

void describe_by_sift(DetectorOnDevices& detector, const SiftOptions& options, LevelNames names) {
  for (DetectorOnDevice& one : detector.each) {
    one.make_describer = [options, names, device = one.device, gpu = one.gpu] {
      return make_sift_describer(options, gpu ? make_gpu_engine(options, gpu) : make_engine(options, device), names);
    };
  }
}

std::unique_ptr<SiftEngine> make_engine(const SiftOptions& options, const DeviceOptions& device) {
  return make_engine(options, resolve_device(device));
}

std::function<int(int, int)> octaves_of(const SiftOptions& options) {
  return [options](int width, int height) {
    return static_cast<int>(plan_scale_space(width, height, options).octaves.size());
  };
}

namespace {

DetectorOnDevices make_sift_detector(const SiftOptions& asked, const DeviceOptions& device) {
  validate(asked);
  require_keypoints(asked);
  const SiftOptions options = without_target(asked);
  DetectorOnDevices detector = on_each_device(
      device,
      [options](const ResolvedDevice& host) { return make_sift_detector_staged(options, make_engine(options, host)); },
      [options](const GpuShare& share) {
        return make_gpu_detector(std::make_unique<SiftGpu>(options, share.gpu, share.gpu->queue()), share);
      });
  describe_by_sift(detector, options, LevelNames::octave_and_layer);
  detector.octaves = octaves_of(options);
  return detector;
}

}  // namespace

Extractor::Extractor(const SiftOptions& options, const DeviceOptions& device)
    : Extractor(make_sift_detector(options, device)) {}

}  // namespace octavo
