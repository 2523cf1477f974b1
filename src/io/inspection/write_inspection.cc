// Makes an inspection and writes its files. Planes are written while they are in memory.

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <utility>

#include "engine/core/check_image.h"
#include "engine/inspect/inspection_memory.h"
#include "io/inspection/files_memory.h"
#include "io/inspection/inspection_writer.h"
#include "io/inspection/presenter.h"
#include "octavo/error.h"
#include "octavo/io/inspection_folder.h"

namespace octavo {
namespace inspection {
namespace {

// Throws Error(invalid_option) for files that this detector cannot give.
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
           fmt::format("must be none: {}{} has no descriptors",
                       detector_of(inspector.options()).has_descriptors ? "without describe, " : "", detector));
  }
}

}  // namespace
}  // namespace inspection

void check_inspection(const DetectorOptions& detector, const DeviceOptions& device,
                      const InspectionFolderOptions& options) {
  const auto inspector = inspection::inspector_of(detector);
  inspection::require_effects(*inspector, options);
  inspector->check(device);
}

InspectionFiles write_inspection(const ImageView& image, const ImageView* mask, const DetectorOptions& detector,
                                 const DeviceOptions& device, const std::filesystem::path& folder,
                                 const InspectionFolderOptions& options, const ProgressSink& progress) {
  const auto report = [&](int percent, std::string_view file) {
    report_item(progress, file, static_cast<std::size_t>(percent), 100);
  };
  const auto presenter = inspection::presenter_of(detector);
  const inspection::Inspector& inspector = presenter->inspector();
  inspection::require_effects(inspector, options);
  check_image_shape(image);
  inspection::require_memory(inspector, image, device, inspection::memory_of_files(inspector, image, options));
  inspection::Writer writer(image, *presenter, folder, options);
  report(0, "extraction");
  const auto show = [&](const StagePlane& plane, const Inspection& so_far) {
    report(inspector.percent_at(plane, so_far), plane.name());
    writer.add(plane, so_far);
  };
  Inspection inspection = inspector.inspect(image, mask, device, show);
  report(99, "index.html");
  return writer.finish(std::move(inspection));
}

MemoryEstimate estimate_inspection(const ImageView& image, bool masked, const DetectorOptions& detector,
                                   const DeviceOptions& device, const InspectionFolderOptions& files) {
  const auto inspector = inspection::inspector_of(detector);
  inspection::require_effects(*inspector, files);
  MemoryEstimate estimate = inspection::estimate_of(*inspector, image, masked, device);
  estimate.need += inspection::memory_of_files(*inspector, image, files);
  return estimate;
}

}  // namespace octavo
