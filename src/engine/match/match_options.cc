// The tables of the options of matching and of a guide.

#include <array>
#include <string>

#include "engine/core/check.h"
#include "engine/core/option_rows.h"
#include "octavo/matcher.h"

namespace octavo {

namespace {

constexpr std::array<std::string_view, 2> model_words{"homography", "fundamental"};

void check_matrix(const Guide& guide) {
  for (int i = 0; i < 9; ++i) {
    check_range("b_from_a[" + std::to_string(i) + "]", guide.b_from_a[i], -1e100, 1e100, "guide");
  }
}

}  // namespace

template <>
const OptionTable<MatchOptions>& option_table<MatchOptions>() {
  constexpr std::string_view group = "Matching options";
  static const OptionTable<MatchOptions> table{
      .name = "match",
      .title = "Matching",
      .options = {
          option<&MatchOptions::ratio>(
              {.name = "ratio",
               .group = group,
               .sentence = "Keep a match only if its distance is below R times that of the second nearest; 1 keeps "
                           "all.",
               .symbol = "R",
               .low = 0.0001,
               .high = 1}),
          option<&MatchOptions::mutual>(
              {.name = "mutual",
               .group = group,
               .sentence = "Keep a match only if its point of A is the nearest of its point of B, too."}),
          option<&MatchOptions::max_distance2>(
              {.name = "max_distance2",
               .group = group,
               .sentence = "Drop matches whose descriptors are farther apart: the square of the distance, at most D.",
               .symbol = "D"}),
          option<&MatchOptions::distinct_radius>(
              {.name = "distinct_radius",
               .group = group,
               .sentence =
                   "Count keypoints at most this far apart as the same point: the second nearest is then the "
                   "nearest one elsewhere. Features of views have 10, stored ones if it is given. 0: each for itself.",
               .symbol = "PX",
               .unit = "pixel",
               .low = 0,
               .high = 1e6}),
      }};
  return table;
}

template <>
const OptionTable<Guide>& option_table<Guide>() {
  constexpr std::string_view group = "Guide options";
  static const OptionTable<Guide> table{
      .name = "guide",
      .title = "Guided matching",
      .subject = "guide",
      .options = {option<&Guide::model>({.name = "model",
                                         .group = group,
                                         .sentence = "What the matrix is, by which a point of A limits where its "
                                                     "partner in B may lie.",
                                         .words = model_words}),
                  option<&Guide::radius>({.name = "radius",
                                          .group = group,
                                          .sentence = "How far from there the partner may lie, in pixels of B.",
                                          .symbol = "PX",
                                          .unit = "pixel",
                                          .low = 1e-6,
                                          .high = 1e6})},
      .check_together = check_matrix};
  return table;
}

MatchOptions for_views(MatchOptions options, Views views) {
  if (views != Views::none && options.distinct_radius == 0) options.distinct_radius = 10;
  return options;
}

void validate(const MatchOptions& options) { option_table<MatchOptions>().validate(options); }

void validate(const Guide& guide) { option_table<Guide>().validate(guide); }

}  // namespace octavo
