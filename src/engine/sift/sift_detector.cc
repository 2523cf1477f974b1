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
#include "engine/sift/grey_detector.h"
#include "engine/sift/points_on_gpu.h"
#include "engine/sift/sift_describer.h"
#include "engine/sift/sift_gpu.h"
#include "engine/views/views_detector.h"
#include "octavo/sift_options.h"

namespace octavo {

namespace {

SiftParts checked_parts(const SiftOptions& options) {
  validate(options);
  require_keypoints(options);
  return parts_of(options);
}

}  // namespace

std::unique_ptr<SiftEngine> make_engine(const SiftParts& parts, const ResolvedDevice& device) {
  if (device.is_gpu()) return make_gpu_engine(parts, device.open_gpu());
  if (device.kind == DeviceKind::cpu) return make_cpu_engine(parts, device.isa, device.cpu_pool());
  return make_reference_engine(parts);
}

void describe_by_sift(DetectorOnDevices& detector, const SiftParts& parts, LevelNames names) {
  for (DetectorOnDevice& one : detector.each) {
    one.make_describer = [parts, names, device = one.device, gpu = one.gpu] {
      return make_sift_describer(parts, gpu ? make_gpu_engine(parts, gpu) : make_engine(parts, device), names);
    };
  }
}

std::unique_ptr<SiftEngine> make_engine(const SiftOptions& options, const DeviceOptions& device) {
  return make_engine(checked_parts(options), resolve_device(device));
}

std::function<int(int, int)> octaves_of(const ScaleSpaceOptions& scale_space) {
  return [scale_space](int width, int height) {
    return static_cast<int>(plan_scale_space(width, height, scale_space).octaves.size());
  };
}

namespace {

DetectorOnDevices make_sift_detector(const SiftOptions& options, const DeviceOptions& device) {
  const SiftParts parts = checked_parts(options);
  DetectorOnDevices detector = on_each_device(
      device,
      [parts](const ResolvedDevice& host) { return make_sift_detector_staged(parts, make_engine(parts, host)); },
      [parts](const GpuShare& share) {
        if (parts.budget.of_points) return make_detector_of_points(parts, share);
        return make_gpu_detector(std::make_unique<SiftGpu>(parts, share.gpu, share.gpu->queue()), share);
      });
  describe_by_sift(detector, parts, LevelNames::octave_and_layer);
  detector.octaves = octaves_of(parts.scale_space);
  return detector;
}

DetectorOnDevices make_detector(const SiftOptions& options, const DeviceOptions& device) {
  if (options.grey == GreyOn::host) {
    SiftOptions of_grey = options;
    of_grey.grey = GreyOn::device;
    return with_grey_on_host(make_detector(of_grey, device), options.luma);
  }
  if (options.views == Views::none) return make_sift_detector(options, device);
  validate(options);
  return with_views(options.views, options.luma, [&](int tilt) {
    SiftOptions of_view = options;
    of_view.views = Views::none;
    for (int* const budget : {&of_view.max_features, &of_view.max_points, &of_view.target_features})
      *budget = (*budget + tilt - 1) / tilt;
    return make_sift_detector(of_view, device);
  });
}

}  // namespace

Extractor::Extractor() : Extractor(SiftOptions()) {}

Extractor::Extractor(const SiftOptions& options, const DeviceOptions& device)
    : Extractor(make_detector(options, device)) {}

}  // namespace octavo
