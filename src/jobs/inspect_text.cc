// An inspection as text.

#include <fmt/core.h>

#include "io/files/one_line.h"
#include "octavo/jobs/image_jobs.h"

namespace octavo {
namespace jobs {
namespace {

std::string descriptor_text(const InspectJob& job, const InspectionFiles& files) {
  if (files.point) {
    const Keypoint& k = files.inspection.features.keypoints[*files.point];
    return fmt::format("descriptor  of the keypoint at {:.1f},{:.1f}, scale {:.1f}, octave {}, layer {}\n", k.x, k.y,
                       k.scale, k.octave, k.layer);
  }
  if (!describes(job.detector)) return {};
  return fmt::format("descriptor  none: there are no keypoints{}\n",
                     job.files.point ? ", so --point shows nothing" : "");
}

}  // namespace
}  // namespace jobs

std::string text_of(const InspectJob& job, const InspectResult& result) {
  const Inspection& inspection = result.files.inspection;
  std::string text =
      inspection.octaves.empty()
          ? fmt::format(
                "no octaves: the image, {}x{} pixels, is too small; an octave needs 12 pixels each way, 4 with "
                "repeated smoothing\n",
                result.size.width, result.size.height)
          : text_of(inspection);
  text += jobs::descriptor_text(job, result.files);
  if (job.files.packed && !inspection.octaves.empty() && inspection.octaves.front().differences > packed_differences) {
    text += fmt::format("packed      differences 0, 1 and 2 of the {} of each octave\n",
                        inspection.octaves.front().differences);
  }
  return text + fmt::format("page        {} ({:.1f} MB)\n", io::on_one_line((job.folder / "index.html").string()),
                            static_cast<double>(result.files.page_bytes) / 1e6);
}

}  // namespace octavo
