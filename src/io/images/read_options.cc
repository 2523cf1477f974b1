// The table of the options of reading.

#include <string_view>

#include "engine/core/option_rows.h"
#include "engine/core/range_option.h"
#include "octavo/io/image_formats.h"

namespace octavo {

template <>
const OptionTable<ReadOptions>& option_table<ReadOptions>() {
  constexpr std::string_view group = "Reading options";
  static const OptionTable<ReadOptions> table{
      .name = "read",
      .title = "Reading",
      .options =
          {
              option<&ReadOptions::apply_exif_rotation>(
                  {.name = "apply_exif_rotation", .group = group, .sentence = "Turn the image as its EXIF data say."}),
              option<&ReadOptions::max_pixels>({.name = "max_pixels",
                                                .group = group,
                                                .sentence = "Refuse images of more than N pixels, before memory is "
                                                            "taken for them.",
                                                .symbol = "N",
                                                .low = 1,
                                                .high = 1 << 30}),
              option<&ReadOptions::range>(range_facts(group,
                                                      "The values of 16-bit and float images that become black and "
                                                      "white: those that the image uses (without hot pixels, NaN and "
                                                      "missing data), or the full range of their type.")),
              option<&ReadOptions::black>(
                  black_facts(group,
                              "The value of 16-bit and float images that becomes black, in place of `range`; with "
                              "`white`.")),
              option<&ReadOptions::white>(white_facts(group)),
          },
      .check_together = check_range<ReadOptions>};
  return table;
}

void validate(const ReadOptions& options) { option_table<ReadOptions>().validate(options); }

std::string range_text(const ReadOptions& options) {
  if (has_own_range(options)) return option_text(options.black) + " to " + option_text(options.white);
  return std::string(range_words[static_cast<std::size_t>(options.range)]);
}

}  // namespace octavo
