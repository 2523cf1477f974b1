#include "engine/match/nearest.h"

#include "engine/match/nearest_gpu.h"

namespace octavo {

std::unique_ptr<NearestSearch> make_nearest(const ResolvedDevice& device) {
  if (device.is_gpu()) return make_nearest_gpu(device.open_gpu(), make_nearest_cpu(device.isa, device.cpu_pool()));
  if (device.kind == DeviceKind::cpu) return make_nearest_cpu(device.isa, device.cpu_pool());
  return make_nearest_reference(device.progress);
}

}  // namespace octavo
