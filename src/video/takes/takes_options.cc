// The table of the options of takes.

#include <array>

#include "engine/core/option_rows.h"
#include "octavo/video/takes.h"
#include "video/frames/sampling_facts.h"

namespace octavo {

template <>
const OptionTable<TakeOptions>& option_table<TakeOptions>() {
  constexpr std::string_view group = "Take options";
  static constexpr std::array<std::string_view, 2> measures{"matches", "vlad"};
  static const OptionTable<TakeOptions> table{
      .name = "takes",
      .title = "Takes",
      .options = {
          option<&TakeOptions::measure>({.name = "measure",
                                         .group = group,
                                         .sentence = "How similar two frames are: the share of their features that "
                                                     "match and agree, or the product of their VLADs. "
                                                     "An archive has no VLADs, so with --index it is always matches.",
                                         .words = measures}),
          option<&TakeOptions::every>(video::every_facts(group)),
          option<&TakeOptions::fps>({.name = "fps",
                                     .group = group,
                                     .sentence = "Compare F frames a second.",
                                     .symbol = "F",
                                     .low = 0.1,
                                     .high = 30,
                                     .needs = video::taken_by_time}),
          option<&TakeOptions::max_features>({.name = "max_features",
                                              .group = group,
                                              .sentence = "Use at most N features of a frame.",
                                              .symbol = "N",
                                              .low = 16,
                                              .high = 8192}),
          option<&TakeOptions::min_seconds>({.name = "min_seconds",
                                             .group = group,
                                             .sentence = "Leave out shorter shots, such as clapper boards.",
                                             .symbol = "S",
                                             .unit = "second",
                                             .low = 0,
                                             .high = 3600}),
          option<&TakeOptions::min_affinity>({.name = "min_affinity",
                                              .group = group,
                                              .sentence =
                                                  "The least similarity of two frames that show the same. 0: the "
                                                  "limit that frames of different shots exceed by chance in "
                                                  "one pair of all; by matches, any that is no chance.",
                                              .symbol = "A",
                                              .low = 0,
                                              .high = 1}),
          option<&TakeOptions::max_gap>({.name = "max_gap",
                                         .group = group,
                                         .sentence = "The longest part of a take, between frames that show the same, "
                                                     "that shows nothing of the other take.",
                                         .symbol = "S",
                                         .unit = "second",
                                         .low = 0,
                                         .high = 60}),
          option<&TakeOptions::min_share>({.name = "min_share",
                                           .group = group,
                                           .sentence = "The share of the shorter of two takes that both show, in the "
                                                       "mean, for groups of takes to be one scene.",
                                           .symbol = "Q",
                                           .low = 0.01,
                                           .high = 1}),
      }};
  return table;
}

void validate(const TakeOptions& options) { option_table<TakeOptions>().validate(options); }

}  // namespace octavo
