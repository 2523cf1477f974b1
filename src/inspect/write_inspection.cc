// Makes an inspection and writes its files. Planes are written while they are in memory.

#include <cmath>
#include <utility>

#include "inspect/inspection_memory.h"
#include "inspect/inspection_writer.h"
#include "octavo/inspection_folder.h"

namespace octavo {
namespace {

// The progress when this plane is shown. An octave has a quarter of the pixels of the one before. Steps of the
// trilateral filter count as the first blur.
int percent_at(const StagePlane& plane, const Inspection& so_far) {
  const InspectedOctave& octave = so_far.octaves.back();
  const int count = octave.blurs + octave.differences;
  const int at = plane.stage == "blur" ? plane.level : plane.stage == "difference" ? octave.blurs + plane.level : 0;
  const double left = std::pow(0.25, so_far.octaves.size() - 1) * (1 - 0.75 * at / count);
  return static_cast<int>(100 * (1 - left));
}

}  // namespace

InspectionFiles write_inspection(const ImageView& image, const ImageView* mask, const SiftOptions& sift,
                                 const DeviceOptions& device, const std::filesystem::path& folder,
                                 const InspectionFolderOptions& options, const InspectionProgress& progress) {
  const auto report = [&](int percent, std::string_view file) {
    if (progress) progress(percent, file);
  };
  inspection::require_memory(image, sift, device, options);
  inspection::Writer writer(image, sift, folder, options);
  report(0, "extraction");
  const auto show = [&](const StagePlane& plane, const Inspection& so_far) {
    report(percent_at(plane, so_far), plane.name());
    writer.add(plane, so_far);
  };
  Inspection inspection = inspect(image, mask, sift, device, show);
  report(99, "index.html");
  return writer.finish(std::move(inspection));
}

}  // namespace octavo
