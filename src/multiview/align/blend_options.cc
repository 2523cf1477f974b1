// The table of the options of blending.

#include <array>

#include "engine/core/option_rows.h"
#include "octavo/multiview/align.h"

namespace octavo {

template <>
const OptionTable<BlendOptions>& option_table<BlendOptions>() {
  constexpr std::string_view group = "Blending options";
  static constexpr std::array<std::string_view, 2> words{"multiband", "mean"};
  static constexpr std::array<OptionNeed, 1> along_a_seam{{{"blend", "multiband"}}};
  static const OptionTable<BlendOptions> table{
      .name = "blend",
      .title = "Blending",
      .subject = "blending",
      .options = {
          option<&BlendOptions::blend>(
              {.name = "blend",
               .group = group,
               .sentence = "How the images are joined: along a seam that is hard to see; or half and half, so that "
                           "what does not fit is seen twice.",
               .words = words}),
          option<&BlendOptions::exposure>({.name = "exposure",
                                           .group = group,
                                           .sentence = "Correct exposure, white balance and vignetting.",
                                           .needs = along_a_seam}),
          option<&BlendOptions::bands>({.name = "bands",
                                        .group = group,
                                        .sentence = "Bands of the blending; 0: the images are cut at the seam. Small "
                                                    "images have fewer.",
                                        .symbol = "N",
                                        .low = 0,
                                        .high = 8,
                                        .needs = along_a_seam}),
      }};
  return table;
}

void validate(const BlendOptions& options) { option_table<BlendOptions>().validate(options); }

}  // namespace octavo
