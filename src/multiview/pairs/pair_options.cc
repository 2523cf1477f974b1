// The table of the options of pairs.

#include <array>

#include "engine/core/option_rows.h"
#include "octavo/multiview/choose_pairs.h"

namespace octavo {

template <>
const OptionTable<PairOptions>& option_table<PairOptions>() {
  constexpr std::string_view group = "Pair options";
  static constexpr std::array<std::string_view, 4> ways{"exhaustive", "sequential", "retrieval", "gps"};
  static constexpr std::array sequential{OptionNeed{"by", "sequential"}};
  static constexpr std::array retrieval{OptionNeed{"by", "retrieval"}};
  static constexpr std::array gps{OptionNeed{"by", "gps"}};
  static constexpr std::array nearest{OptionNeed{"by", "exhaustive", true}, OptionNeed{"by", "sequential", true}};
  static const OptionTable<PairOptions> table{
      .name = "pairs",
      .title = "Pairs of images",
      .options = {
          option<&PairOptions::by>({.name = "by",
                                    .group = group,
                                    .sentence = "Pair all images; each with the next ones by name; with those that "
                                                "look most alike (VLAD); with those that were taken nearest.",
                                    .words = ways}),
          option<&PairOptions::neighbours>({.name = "neighbours",
                                            .group = group,
                                            .sentence = "Pair each image with the K most similar or nearest ones.",
                                            .symbol = "K",
                                            .low = 1,
                                            .high = 1e6,
                                            .needs = nearest}),
          option<&PairOptions::overlap>({.name = "overlap",
                                         .group = group,
                                         .sentence = "Pair each image with the N next ones.",
                                         .symbol = "N",
                                         .low = 1,
                                         .high = 1e6,
                                         .needs = sequential}),
          option<&PairOptions::quadratic>({.name = "quadratic",
                                           .group = group,
                                           .sentence = "Pair each image also with those that are 1, 2, 4, 8 ... "
                                                       "places further on, N of them, as COLMAP's quadratic overlap.",
                                           .needs = sequential}),
          option<&PairOptions::metres>({.name = "metres",
                                        .group = group,
                                        .sentence = "Leave out pairs that were taken farther apart.",
                                        .symbol = "M",
                                        .unit = "metre",
                                        .low = 0,
                                        .high = 2e7,
                                        .needs = gps}),
          option<&PairOptions::size>({.name = "size",
                                      .group = group,
                                      .sentence = "Make images smaller whose longer side is above this. 0: never.",
                                      .symbol = "PIXELS",
                                      .unit = "pixel",
                                      .low = 64,
                                      .high = 65535,
                                      .special = 0,
                                      .needs = retrieval}),
          option<&PairOptions::augment>({.name = "augment",
                                         .group = group,
                                         .sentence = "Compare each image with the N most similar ones added to it. So "
                                                     "images of one scene at very different sizes meet. 0: alone.",
                                         .symbol = "N",
                                         .low = 0,
                                         .high = most_augmenting_images,
                                         .needs = retrieval}),
      }};
  return table;
}

void validate(const PairOptions& options) { option_table<PairOptions>().validate(options); }

}  // namespace octavo
