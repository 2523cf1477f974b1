// The table of the options of robust estimators.

#include <array>

#include "engine/core/option_rows.h"
#include "octavo/multiview/geometry.h"

namespace octavo {

namespace {

constexpr std::array<std::string_view, 3> method_words{"magsac", "ransac", "prosac"};

}  // namespace

template <>
const OptionTable<RobustOptions>& option_table<RobustOptions>() {
  constexpr std::string_view group = "Geometry options";
  static const OptionTable<RobustOptions> table{
      .name = "robust",
      .title = "Robust estimation",
      .subject = "robust",
      .options = {
          option<&RobustOptions::method>({.name = "method",
                                          .group = group,
                                          .sentence = "Robust estimator: MAGSAC++ (2020), RANSAC or PROSAC.",
                                          .words = method_words}),
          option<&RobustOptions::threshold>({.name = "threshold",
                                             .group = group,
                                             .sentence = "Largest error of an inlier, in pixels of B.",
                                             .symbol = "PX",
                                             .unit = "pixel",
                                             .low = 1e-3,
                                             .high = 1e3}),
          option<&RobustOptions::confidence>({.name = "confidence",
                                              .group = group,
                                              .sentence = "Probability with which the best model is to be found.",
                                              .symbol = "P",
                                              .low = 1e-6,
                                              .high = 1 - 1e-6}),
          option<&RobustOptions::max_iterations>({.name = "max_iterations",
                                                  .group = group,
                                                  .sentence = "Samples at most.",
                                                  .symbol = "N",
                                                  .low = 1,
                                                  .high = 10'000'000}),
          option<&RobustOptions::seed>({.name = "seed",
                                        .group = group,
                                        .sentence = "Seed of the sampling; the same seed gives the same model.",
                                        .symbol = "N"}),
      }};
  return table;
}

void validate(const RobustOptions& options) { option_table<RobustOptions>().validate(options); }

}  // namespace octavo
