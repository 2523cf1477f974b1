// The table of the options of copied segments.

#include "engine/core/option_rows.h"
#include "octavo/video/copy_segment.h"

namespace octavo {

template <>
const OptionTable<CopyOptions>& option_table<CopyOptions>() {
  constexpr std::string_view group = "Segment options";
  static const OptionTable<CopyOptions> table{
      .name = "copy",
      .title = "Copied segments",
      .options = {
          option<&CopyOptions::min_seconds>({.name = "min_seconds",
                                             .group = group,
                                             .sentence = "Report no shorter segments.",
                                             .symbol = "S",
                                             .unit = "second",
                                             .low = 0,
                                             .high = 86400}),
          option<&CopyOptions::min_frames>({.name = "min_frames",
                                            .group = group,
                                            .sentence = "Report no segment with fewer verified frames.",
                                            .symbol = "N",
                                            .low = 1,
                                            .high = 1000000}),
          option<&CopyOptions::min_speed>({.name = "min_speed",
                                           .group = group,
                                           .sentence = "The smallest speed: seconds of the other clip for a second of "
                                                       "the query.",
                                           .symbol = "V",
                                           .low = 0.25,
                                           .high = 1}),
          option<&CopyOptions::max_speed>({.name = "max_speed",
                                           .group = group,
                                           .sentence = "The largest speed.",
                                           .symbol = "V",
                                           .low = 1,
                                           .high = 4}),
          option<&CopyOptions::min_score>({.name = "min_score",
                                           .group = group,
                                           .sentence = "Report no segment with a smaller score, -log10 of the expected "
                                                       "number of false segments between two clips.",
                                           .symbol = "Q",
                                           .low = 0,
                                           .high = 1000}),
          option<&CopyOptions::shake>({.name = "shake",
                                       .group = group,
                                       .sentence = "How far the image may move from frame to frame, as a share of its "
                                                   "side: 0.15 finds film from a hand that shakes, and more false "
                                                   "segments of clips of one place.",
                                       .symbol = "SHARE",
                                       .low = 0,
                                       .high = 0.5}),
      }};
  return table;
}

void validate(const CopyOptions& options) { option_table<CopyOptions>().validate(options); }

}  // namespace octavo
