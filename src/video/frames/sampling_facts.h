#pragma once

// The options that say which frames of a video are taken, for the tables of all who take frames.

#include <array>
#include <string_view>

#include "octavo/option_table.h"

namespace octavo::video {

constexpr OptionFacts every_facts(std::string_view group) {
  return {.name = "every",
          .group = group,
          .sentence = "Take every N-th frame, beginning with the first. 0: by time, see `fps`.",
          .symbol = "N",
          .low = 0,
          .high = 1e9};
}

inline constexpr std::array taken_by_time{OptionNeed{"every", "0"}};

constexpr OptionFacts fps_facts(std::string_view group) {
  return {.name = "fps",
          .group = group,
          .sentence =
              "Take F frames a second: the first frame of each interval of 1/F seconds. F is rounded to a thousandth.",
          .symbol = "F",
          .low = 0.001,
          .high = 1000,
          .needs = taken_by_time};
}

}  // namespace octavo::video
