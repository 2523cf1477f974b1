#include "octavo/inspect.h"

#include "engine/inspect/inspection_memory.h"
#include "engine/inspect/inspector.h"

namespace octavo {

std::string StagePlane::name() const {
  const std::string group = scale > 0 ? "scale" + std::to_string(scale) : "octave" + std::to_string(octave);
  return group + "_" + stage + (level < 0 ? "" : std::to_string(level));
}

Inspection inspect(const ImageView& image, const ImageView* mask, const DetectorOptions& options,
                   const DeviceOptions& device, const ShowPlane& show) {
  const auto inspector = inspection::inspector_of(options);
  inspection::require_memory(*inspector, image, device, {});
  return inspector->inspect(image, mask, device, show);
}

}  // namespace octavo
