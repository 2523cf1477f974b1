#include "engine/extract/detector.h"

#include <utility>

namespace octavo {

DetectorOnDevices on_each_device(const DeviceOptions& options,
                                 const std::function<std::unique_ptr<Detector>(const ResolvedDevice&)>& make_on_host,
                                 const std::function<std::unique_ptr<Detector>(const GpuShare&)>& make_on_gpu) {
  std::vector<DetectorOnDevice> each;
  for (ResolvedDevice& device : resolve_devices(options)) {
    if (device.is_gpu()) {
      const std::shared_ptr<Gpu> gpu = device.open_gpu();
      const GpuShare share{gpu, std::make_shared<GpuBufferPool>(gpu), std::make_shared<CpuPool>(device.cpu_pool()),
                           device.progress};
      each.push_back({std::move(device), gpu, [make_on_gpu, share] { return make_on_gpu(share); }});
    } else {
      const auto make = [make_on_host, device] { return make_on_host(device); };
      each.push_back({std::move(device), nullptr, make});
    }
  }
  return DetectorOnDevices(std::move(each));
}

}  // namespace octavo
