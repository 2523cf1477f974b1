// The table of the options of reading.

#include "octavo/read_options.h"

#include "core/option_rows.h"

namespace octavo {

template <>
const OptionTable<ReadOptions>& option_table<ReadOptions>() {
  constexpr std::string_view group = "Reading options";
  static const OptionTable<ReadOptions> table{
      .name = "read",
      .title = "Reading",
      .options = {
          option<&ReadOptions::apply_exif_rotation>(
              {.name = "apply_exif_rotation", .group = group, .sentence = "Turn the picture as its EXIF data say."}),
          option<&ReadOptions::max_pixels>({.name = "max_pixels",
                                            .group = group,
                                            .sentence = "Refuse pictures of more than N pixels, before memory is "
                                                        "taken for them.",
                                            .symbol = "N",
                                            .low = 1,
                                            .high = 1 << 30}),
      }};
  return table;
}

void validate(const ReadOptions& options) { option_table<ReadOptions>().validate(options); }

}  // namespace octavo
