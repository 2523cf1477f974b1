// The table of the options of reports.

#include "engine/core/option_rows.h"
#include "octavo/video/video_report.h"

namespace octavo {

template <>
const OptionTable<ReportOptions>& option_table<ReportOptions>() {
  constexpr std::string_view group = "Report options";
  static const OptionTable<ReportOptions> table{
      .name = "report",
      .title = "Reports",
      .options = {
          option<&ReportOptions::same_coverage>({.name = "same_coverage",
                                                 .group = group,
                                                 .sentence = "Files are the same thing if this share of both lies "
                                                             "within segments.",
                                                 .symbol = "C",
                                                 .low = 0,
                                                 .high = 1}),
          option<&ReportOptions::max_images>({.name = "max_images",
                                              .group = group,
                                              .sentence = "Show images of the N best pairs, for which their files "
                                                          "are decoded; the others are rows.",
                                              .symbol = "N",
                                              .low = 0,
                                              .high = 1000000}),
      }};
  return table;
}

void validate(const ReportOptions& options) { option_table<ReportOptions>().validate(options); }

}  // namespace octavo
