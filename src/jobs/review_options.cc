// The table of the options of reviews.

#include "engine/core/option_rows.h"
#include "octavo/jobs/archive_jobs.h"

namespace octavo {

template <>
const OptionTable<ReviewOptions>& option_table<ReviewOptions>() {
  constexpr std::string_view group = "Review options";
  static const OptionTable<ReviewOptions> table{
      .name = "review",
      .title = "Reviews",
      .options = {
          option<&ReviewOptions::port>({.name = "port",
                                        .group = group,
                                        .sentence = "The port of 127.0.0.1; 0: one that is free.",
                                        .symbol = "N",
                                        .low = 0,
                                        .high = 65535}),
          option<&ReviewOptions::max_upload>({.name = "max_upload",
                                              .group = group,
                                              .sentence = "The largest file that the page takes to search for it, in "
                                                          "MB.",
                                              .symbol = "N",
                                              .low = 1,
                                              .high = 1000000}),
      }};
  return table;
}

void validate(const ReviewOptions& options) { option_table<ReviewOptions>().validate(options); }

}  // namespace octavo
