// The table of the trilateral filter's options.

#include "octavo/trilateral.h"

#include "engine/core/option_rows.h"

namespace octavo {

template <>
const OptionTable<TrilateralOptions>& option_table<TrilateralOptions>() {
  constexpr std::string_view group = "Filter options";
  static const OptionTable<TrilateralOptions> table{
      .name = "trilateral",
      .title = "Trilateral filter",
      .options = {
          option<&TrilateralOptions::spatial_sigma>(
              {.name = "spatial_sigma",
               .group = group,
               .sentence = "How far pixels count: the deviation of the spatial weights. From 3 on the gradients are "
                           "smoothed too, as in the sources.",
               .symbol = "PX",
               .unit = "pixel",
               .low = 0.5,
               .high = 32}),
          option<&TrilateralOptions::trilateral_window>(
              {.name = "trilateral_window",
               .group = group,
               .sentence = "How large windows are where gradients are alike up to F pixels away: 2^F / 2 pixels to "
                           "each side, as in the sources, or F.",
               .words = trilateral_window_words}),
          option<&TrilateralOptions::trilateral_truncate>(
              {.name = "trilateral_truncate",
               .group = group,
               .sentence = "Where windows are cut off, in sigmas. Beyond 5.77 a pixel has less than 2^-24 of the "
                           "weight of the centre; the sources have no such limit. The time grows with the square.",
               .symbol = "S",
               .low = 2,
               .high = 5.77}),
          option<&TrilateralOptions::luma>({.name = "luma",
                                            .group = group,
                                            .sentence = "Weights that turn colour into luma; bt601 are OpenCV's.",
                                            .words = luma_words}),
          option<&TrilateralOptions::trilateral_order>(
              {.name = "trilateral_order",
               .group = group,
               .sentence = "Which pixels a GPU takes together: those with windows of one size, or neighbours in a row, "
                           "which is slower. The result is the same, and a CPU has its own order.",
               .words = trilateral_order_words}),
      }};
  return table;
}

void validate(const TrilateralOptions& options) { option_table<TrilateralOptions>().validate(options); }

}  // namespace octavo
