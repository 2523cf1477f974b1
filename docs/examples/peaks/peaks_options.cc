// The table of the options of Peaks.

#include "octavo/peaks.h"

#include "engine/core/option_rows.h"

namespace octavo {

template <>
const OptionTable<PeaksOptions>& option_table<PeaksOptions>() {
  static const OptionTable<PeaksOptions> table{
      .name = "peaks",
      .title = "Peaks",
      .sentence = "pixels brighter than all around them",
      .options = {option<&PeaksOptions::peak_threshold>({.name = "peak_threshold",
                                                         .group = "Peaks options",
                                                         .sentence = "Drop a peak if it is not stronger than T.",
                                                         .symbol = "T",
                                                         .low = 0,
                                                         .high = 1}),
                  option<&PeaksOptions::luma>({.name = "luma",
                                               .group = "Peaks options",
                                               .sentence = "Weights that turn colour into grey.",
                                               .words = luma_words})}};
  return table;
}

void validate(const PeaksOptions& options) { option_table<PeaksOptions>().validate(options); }

}  // namespace octavo
