// The table of the options of tracks.

#include "engine/core/option_rows.h"
#include "octavo/video/video_tracks.h"

namespace octavo {

template <>
const OptionTable<TrackOptions>& option_table<TrackOptions>() {
  constexpr std::string_view group = "Track options";
  static const OptionTable<TrackOptions> table{
      .name = "tracks",
      .title = "Tracks",
      .options = {
          option<&TrackOptions::ratio>({.name = "ratio",
                                        .group = group,
                                        .sentence = "Follow a point only if the distance of its descriptors is below R "
                                                    "times that of the second nearest; 1 keeps all.",
                                        .symbol = "R",
                                        .low = 0.0001,
                                        .high = 1}),
          option<&TrackOptions::max_motion>({.name = "max_motion",
                                             .group = group,
                                             .sentence = "The largest distance that a point moves from a frame to the "
                                                         "next, as a share of the longer side.",
                                             .symbol = "M",
                                             .low = 0.0001,
                                             .high = 2}),
          option<&TrackOptions::max_distance>({.name = "max_distance",
                                               .group = group,
                                               .sentence = "The largest Euclidean distance of the descriptors of a "
                                                           "followed point.",
                                               .symbol = "D",
                                               .low = 0,
                                               .high = 10000}),
          option<&TrackOptions::tail>({.name = "tail",
                                       .group = group,
                                       .sentence = "Draw the way of the last N frames behind each point.",
                                       .symbol = "N",
                                       .low = 0,
                                       .high = 1000}),
      }};
  return table;
}

void validate(const TrackOptions& options) { option_table<TrackOptions>().validate(options); }

}  // namespace octavo
