// The table of the options of databases for COLMAP.

#include <array>

#include "engine/core/option_rows.h"
#include "octavo/multiview/colmap_job.h"

namespace octavo {
namespace {

constexpr std::array<std::string_view, 4> cameras_words{"model", "folder", "one", "image"};
constexpr std::array<std::string_view, 11> model_words{"simple-pinhole",
                                                       "pinhole",
                                                       "simple-radial",
                                                       "radial",
                                                       "opencv",
                                                       "opencv-fisheye",
                                                       "full-opencv",
                                                       "fov",
                                                       "simple-radial-fisheye",
                                                       "radial-fisheye",
                                                       "thin-prism-fisheye"};
constexpr std::array<std::string_view, 2> verify_words{"none", "usac"};
constexpr std::array verify_need{OptionNeed{"verify", "usac"}};

}  // namespace

template <>
const OptionTable<ColmapOptions>& option_table<ColmapOptions>() {
  constexpr std::string_view cameras = "Camera options", matches = "Geometry options", memory = "Memory options";
  static const OptionTable<ColmapOptions> table{
      .name = "colmap",
      .title = "COLMAP",
      .options = {
          option<&ColmapOptions::cameras>(
              {.name = "cameras",
               .group = cameras,
               .sentence = "Which images share a camera: those of one make, model, focal length and size by their "
                           "EXIF data (without them each image has its own), those of one folder, all, or none.",
               .words = cameras_words}),
          option<&ColmapOptions::camera_model>({.name = "camera_model",
                                                .group = cameras,
                                                .sentence = "COLMAP's model of the cameras.",
                                                .words = model_words}),
          option<&ColmapOptions::verify>(
              {.name = "verify",
               .group = matches,
               .sentence = "Verify the matches by a fundamental matrix, so that the mapper can begin at once. By "
                           "default COLMAP verifies them, since it knows the cameras.",
               .words = verify_words}),
          option<&ColmapOptions::guided>(
              {.name = "guided",
               .group = matches,
               .sentence = "Match again within `threshold` of the epipolar lines, and verify these matches.",
               .needs = verify_need}),
          option<&ColmapOptions::feature_memory>(
              {.name = "feature_memory",
               .group = memory,
               .sentence = "Memory for features while images are matched, in MiB; a keypoint takes 172 bytes. Beyond "
                           "it features are read again from the database.",
               .symbol = "MIB",
               .low = 1,
               .high = 1 << 24}),
          option<&ColmapOptions::gpu_feature_memory>(
              {.name = "gpu_feature_memory",
               .group = memory,
               .sentence = "Memory of the GPU for features while images are matched, in MiB. Beyond it they are copied "
                           "to the GPU again.",
               .symbol = "MIB",
               .low = 1,
               .high = 1 << 24})}};
  return table;
}

void validate(const ColmapOptions& options) { option_table<ColmapOptions>().validate(options); }

}  // namespace octavo
