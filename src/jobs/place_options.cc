// The table of the options of places.

#include "engine/core/option_rows.h"
#include "octavo/jobs/video_jobs.h"

namespace octavo {

template <>
const OptionTable<PlaceOptions>& option_table<PlaceOptions>() {
  constexpr std::string_view group = "Place options";
  static const OptionTable<PlaceOptions> table{
      .name = "places",
      .title = "Places",
      .options = {
          option<&PlaceOptions::max_frames>({.name = "max_frames",
                                             .group = group,
                                             .sentence = "Match at most N frames of a shot. 0: all that show "
                                                         "something else.",
                                             .symbol = "N",
                                             .low = 0,
                                             .high = 100000}),
          option<&PlaceOptions::neighbours>({.name = "neighbours",
                                             .group = group,
                                             .sentence = "Match each frame with the K most similar ones of other shots "
                                                         "and images.",
                                             .symbol = "K",
                                             .low = 1,
                                             .high = 1e6}),
          option<&PlaceOptions::max_drawings>({.name = "max_drawings",
                                               .group = group,
                                               .sentence = "Draw the matches of at most N pairs on the page.",
                                               .symbol = "N",
                                               .low = 0,
                                               .high = 100000}),
      }};
  return table;
}

void validate(const PlaceOptions& options) { option_table<PlaceOptions>().validate(options); }

}  // namespace octavo
