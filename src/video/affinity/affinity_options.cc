// The table of the options of affinity matrices.

#include <array>

#include "engine/core/option_rows.h"
#include "octavo/video/affinity.h"
#include "video/frames/sampling_facts.h"

namespace octavo {

template <>
const OptionTable<AffinityOptions>& option_table<AffinityOptions>() {
  constexpr std::string_view group = "Affinity options";
  static constexpr std::array<std::string_view, 2> measures{"matches", "vlad"};
  static const OptionTable<AffinityOptions> table{
      .name = "affinity",
      .title = "Affinity",
      .options = {
          option<&AffinityOptions::measure>({.name = "measure",
                                             .group = group,
                                             .sentence = "How similar two frames are: the number of features that "
                                                         "match and agree, or the product of their VLADs.",
                                             .words = measures}),
          option<&AffinityOptions::every>(video::every_facts(group)),
          option<&AffinityOptions::fps>(video::fps_facts(group)),
          option<&AffinityOptions::max_features>({.name = "max_features",
                                                  .group = group,
                                                  .sentence = "Use at most N features of a frame.",
                                                  .symbol = "N",
                                                  .low = 16,
                                                  .high = 8192}),
      }};
  return table;
}

void validate(const AffinityOptions& options) { option_table<AffinityOptions>().validate(options); }

}  // namespace octavo
