#include "sift/engine.h"

#include <utility>

#include "device/cpu_isa.h"
#include "device/cpu_pool.h"
#include "device/registry.h"
#include "octavo/error.h"
#include "sift/engine_cpu.h"
#include "sift/engine_reference.h"

namespace octavo {

EngineOnDevice make_engine(const SiftOptions& options, const DeviceOptions& device) {
  validate(options);
  const FoundDevice found = find_device(device.name);
  const Isa isa = find_isa(device.isa);  // a wrong option is an error on every device alike
  CpuPool pool(device.threads);
  if (found.kind == DeviceKind::gpu) {
    throw Error(ErrorCode::device_unavailable, "features cannot be extracted on " + found.name + " yet");
  }
  if (found.kind == DeviceKind::reference) return {make_reference_engine(options), found.name, "scalar", 1};
  const int threads = pool.threads();
  return {make_cpu_engine(options, isa, std::move(pool)), found.name, isa.name, threads};
}

}  // namespace octavo
