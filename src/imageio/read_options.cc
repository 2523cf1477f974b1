// The table of the options of reading.

#include "octavo/read_options.h"

#include <array>
#include <string_view>

#include "core/option_rows.h"
#include "octavo/error.h"

namespace octavo {
namespace {

constexpr std::array<std::string_view, 2> range_words{"image", "full"};
constexpr std::array range_need{OptionNeed{"range", "image"}};

bool has_own_range(const ReadOptions& options) { return options.black != 0 || options.white != 0; }

void check_range(const ReadOptions& options) {
  if (!has_own_range(options)) return;
  if (options.range == InputRange::full) {
    throw Error(ErrorCode::invalid_option,
                InvalidOption{"range", "\"full\"", "must be image beside `black` and `white`, which are a range too"});
  }
  if (options.black < options.white) return;
  throw Error(ErrorCode::invalid_option, InvalidOption{"white", option_text(options.white),
                                                       "must be above `black`, " + option_text(options.black)});
}

}  // namespace

template <>
const OptionTable<ReadOptions>& option_table<ReadOptions>() {
  constexpr std::string_view group = "Reading options";
  static const OptionTable<ReadOptions> table{
      .name = "read",
      .title = "Reading",
      .options =
          {
              option<&ReadOptions::apply_exif_rotation>({.name = "apply_exif_rotation",
                                                         .group = group,
                                                         .sentence = "Turn the picture as its EXIF data say."}),
              option<&ReadOptions::max_pixels>({.name = "max_pixels",
                                                .group = group,
                                                .sentence = "Refuse pictures of more than N pixels, before memory is "
                                                            "taken for them.",
                                                .symbol = "N",
                                                .low = 1,
                                                .high = 1 << 30}),
              option<&ReadOptions::range>({.name = "range",
                                           .group = group,
                                           .sentence =
                                               "The values of 16-bit and float images that become black and white: "
                                               "those that the image uses (without hot pixels, NaN and missing "
                                               "data), or the full range of their type.",
                                           .words = range_words}),
              option<&ReadOptions::black>({.name = "black",
                                           .group = group,
                                           .sentence =
                                               "The value of 16-bit and float images that becomes black, in place of "
                                               "`range`; with `white`.",
                                           .symbol = "V",
                                           .needs = range_need}),
              option<&ReadOptions::white>({.name = "white",
                                           .group = group,
                                           .sentence = "The value that becomes white, above `black`.",
                                           .symbol = "V",
                                           .needs = range_need}),
          },
      .check_together = check_range};
  return table;
}

void validate(const ReadOptions& options) { option_table<ReadOptions>().validate(options); }

std::string range_text(const ReadOptions& options) {
  if (has_own_range(options)) return option_text(options.black) + " to " + option_text(options.white);
  return std::string(range_words[static_cast<std::size_t>(options.range)]);
}

}  // namespace octavo
