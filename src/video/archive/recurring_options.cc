// The table of the options of recurring segments.

#include "engine/core/option_rows.h"
#include "octavo/video/archive_search.h"

namespace octavo {

template <>
const OptionTable<RecurringOptions>& option_table<RecurringOptions>() {
  static const OptionTable<RecurringOptions> table{
      .name = "recurring",
      .title = "Recurring segments",
      .options = {option<&RecurringOptions::clips>({.name = "recurring",
                                                    .group = "Recurring options",
                                                    .sentence = "A segment that N clips or more have, which are no "
                                                                "versions of each other, recurs: an intro, a jingle, "
                                                                "credits.",
                                                    .symbol = "N",
                                                    .low = 3,
                                                    .high = 1000000})}};
  return table;
}

void validate(const RecurringOptions& options) { option_table<RecurringOptions>().validate(options); }

}  // namespace octavo
