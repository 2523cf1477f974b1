// The table of the options of structure from motion.

#include "engine/core/option_rows.h"
#include "octavo/multiview/sfm.h"

namespace octavo {

template <>
const OptionTable<SfmOptions>& option_table<SfmOptions>() {
  constexpr std::string_view group = "Mapper options";
  static const OptionTable<SfmOptions> table{
      .name = "sfm",
      .title = "Structure from motion",
      .options = {
          option<&SfmOptions::mapper>({.name = "mapper",
                                       .group = group,
                                       .sentence = "What makes the model: colmap, glomap, pycolmap, the path of one of "
                                                   "them, or auto: the first of these that is installed.",
                                       .symbol = "NAME"}),
          option<&SfmOptions::mapper_threads>({.name = "mapper_threads",
                                               .group = group,
                                               .sentence = "Threads of the mapper; 0: all cores. With more than one, "
                                                           "poses can change from run to run.",
                                               .symbol = "N",
                                               .low = 0,
                                               .high = 1024}),
          option<&SfmOptions::mapper_seed>({.name = "mapper_seed",
                                            .group = group,
                                            .sentence = "Seed of the mapper's random numbers.",
                                            .symbol = "N",
                                            .low = 0,
                                            .high = 1000000000}),
          option<&SfmOptions::refine>({.name = "refine",
                                       .group = group,
                                       .sentence = "Refine the keypoints of verified matches for the mapper: what one "
                                                   "image shows around them is found again in the others."}),
          option<&SfmOptions::gps>({.name = "gps",
                                    .group = group,
                                    .sentence = "Move each model, so that it is in metres east, north and up, by the "
                                                "places of the EXIF data of its images."}),
      }};
  return table;
}

void validate(const SfmOptions& options) { option_table<SfmOptions>().validate(options); }

}  // namespace octavo
