#include "sift/extraction.h"

#include <utility>

#include "device/cpu_isa.h"
#include "device/cpu_pool.h"
#include "device/registry.h"
#include "sift/engine.h"
#include "sift/engine_cpu.h"
#include "sift/engine_gpu.h"
#include "sift/engine_reference.h"
#include "sift/extraction_gpu.h"
#include "sift/extraction_staged.h"

namespace octavo {

std::unique_ptr<SiftEngine> make_engine(const SiftOptions& options, const DeviceOptions& device) {
  validate(options);
  const FoundDevice found = find_device(device.name);
  const Isa isa = find_isa(device.isa);  // a wrong option is an error on every device alike
  CpuPool pool(device.threads);
  switch (found.kind) {
    case DeviceKind::gpu:
      return make_gpu_engine(options, open_gpu(found.name, device.gpu_memory));
    case DeviceKind::cpu:
      return make_cpu_engine(options, isa, std::move(pool));
    case DeviceKind::reference:
      break;
  }
  return make_reference_engine(options);
}

namespace {

Extractions on_device(const FoundDevice& found, const SiftOptions& options, const DeviceOptions& device) {
  if (found.kind == DeviceKind::gpu) {
    const std::shared_ptr<Gpu> gpu = open_gpu(found.name, device.gpu_memory);
    const std::string driver = found.name.substr(0, found.name.find(':'));
    const GpuShare share{gpu, std::make_shared<GpuBufferPool>(gpu), std::make_shared<CpuPool>(device.threads)};
    return {found.name, driver, share.threads->threads(),
            gpu,        true,   [options, share] {
              return make_gpu_extraction(options, share); }};
  }
  const auto make = [options, device] { return make_staged_extraction(options, make_engine(options, device)); };
  if (found.kind == DeviceKind::reference) return {found.name, "scalar", 1, nullptr, false, make};
  return {found.name, find_isa(device.isa).name, CpuPool(device.threads).threads(), nullptr, false, make};
}

}  // namespace

std::vector<Extractions> make_extractions(const SiftOptions& options, const DeviceOptions& device) {
  validate(options);
  find_isa(device.isa);  // a wrong option is an error on every device alike
  const CpuPool pool(device.threads);
  std::vector<Extractions> all;
  for (const FoundDevice& found : find_devices(device.name)) all.push_back(on_device(found, options, device));
  return all;
}

}  // namespace octavo
