// Makes an inspection and writes its files. Planes are written while they are in memory.

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <utility>

#include "inspect/inspection_memory.h"
#include "inspect/inspection_writer.h"
#include "inspect/inspector.h"
#include "octavo/error.h"
#include "octavo/inspection_folder.h"

namespace octavo {
namespace inspection {

void require_effects(const Inspector& inspector, const InspectionFolderOptions& files) {
  const std::string_view detector = detector_of(inspector.options()).name;
  const auto refuse = [&](const char* option, const std::string& value, const std::string& reason) {
    throw Error(ErrorCode::invalid_option, InvalidOption{option, value, reason});
  };
  if (files.packed && inspector.scale_space() == nullptr) {
    refuse("packed", "true", fmt::format("must be false: {} has no differences", detector));
  }
  if (files.point && !describes(inspector.options())) {
    refuse("point", fmt::format("{},{}", files.point->x, files.point->y),
           fmt::format("must be none: without describe, {} has no descriptors", detector));
  }
}

}  // namespace inspection

void check_inspection(const DetectorOptions& detector, const DeviceOptions& device,
                      const InspectionFolderOptions& options) {
  const auto inspector = inspection::inspector_of(detector);
  inspection::require_effects(*inspector, options);
  inspector->check(device);
}

InspectionFiles write_inspection(const ImageView& image, const ImageView* mask, const DetectorOptions& detector,
                                 const DeviceOptions& device, const std::filesystem::path& folder,
                                 const InspectionFolderOptions& options, const InspectionProgress& progress) {
  const auto report = [&](int percent, std::string_view file) {
    if (progress) progress(percent, file);
  };
  const auto inspector = inspection::inspector_of(detector);
  inspection::require_effects(*inspector, options);
  inspection::require_memory(*inspector, image, device, options);
  inspection::Writer writer(image, *inspector, folder, options);
  report(0, "extraction");
  const auto show = [&](const StagePlane& plane, const Inspection& so_far) {
    report(inspector->percent_at(plane, so_far), plane.name());
    writer.add(plane, so_far);
  };
  Inspection inspection = inspector->inspect(image, mask, device, show);
  report(99, "index.html");
  return writer.finish(std::move(inspection));
}

}  // namespace octavo
