// The table of FOAGDD's options.

#include "octavo/foagdd.h"

#include <array>
#include <string>

#include "engine/core/option_rows.h"
#include "octavo/error.h"

namespace octavo {

namespace {

// The disc of a window of 3 has 9 pixels. With more directions M is singular everywhere.
void check_directions_fit_window(const FoagddOptions& options) {
  if (options.window > 3 || options.directions <= 9) return;
  throw Error(ErrorCode::invalid_option,
              InvalidOption{"directions", std::to_string(options.directions), "must be at most 9 with a window of 3"});
}

constexpr std::array describe_need{OptionNeed{"describe", "true"}};
constexpr std::array turned_needs{OptionNeed{"describe", "true"}, OptionNeed{"upright", "false"}};

std::vector<Option<FoagddOptions>> rows() {
  constexpr std::string_view own = "FOAGDD options", selection = "Selection options",
                             description = "Description options";
  return {
      option<&FoagddOptions::directions>(
          {.name = "directions",
           .group = own,
           .sentence = "Directions in which the image is filtered, at most 9 with a window of 3. The measure of a "
                       "corner grows with the contrast to the power 2K - 2: another K wants another threshold.",
           .symbol = "K",
           .low = 2,
           .high = 16}),
      option<&FoagddOptions::verify_scales>(
          {.name = "verify_scales",
           .group = own,
           .sentence = "Scales at which a corner must exceed the threshold; 2 gives what the authors' published code "
                       "gives, 3 what their paper says.",
           .symbol = "N",
           .low = 1,
           .high = 5}),
      option<&FoagddOptions::rho>({.name = "rho",
                                   .group = own,
                                   .sentence = "How much longer than wide the filters are.",
                                   .symbol = "R",
                                   .low = 1,
                                   .high = 4}),
      option<&FoagddOptions::window>(
          {.name = "window",
           .group = own,
           .sentence = "Diameter of the disc by which a pixel is judged, an odd number of pixels.",
           .symbol = "PX",
           .unit = "pixel",
           .low = 3,
           .high = 11,
           .odd = true}),
      option<&FoagddOptions::corner_threshold>(
          {.name = "corner_threshold",
           .group = own,
           .sentence = "Drop a corner if its response is not above T: the logarithm to base 10 of its measure.",
           .symbol = "T",
           .low = -100,
           .high = 100}),
      option<&FoagddOptions::luma>({.name = "luma",
                                    .group = own,
                                    .sentence = "Weights that turn colour into grey; bt601 are OpenCV's.",
                                    .words = luma_words}),
      option<&FoagddOptions::round_grey>(
          {.name = "round_grey",
           .group = own,
           .sentence = "Round grey to whole numbers from 0 to 255, as the authors' pipeline does with colour."}),
      option<&FoagddOptions::max_features>({.name = "max_features",
                                            .group = selection,
                                            .sentence = "Keep the N corners of largest measure; 0 keeps all.",
                                            .symbol = "N",
                                            .low = 0,
                                            .high = 100'000'000}),
      option<&FoagddOptions::grid>(
          {.name = "grid",
           .group = selection,
           .sentence = "Share `max_features` among G by G cells of the image, so that corners do not crowd.",
           .symbol = "G",
           .low = 1,
           .high = 64,
           .needs = budget_need}),
      option<&FoagddOptions::describe>(
          {.name = "describe",
           .group = own,
           .sentence = "Give corners orientations and descriptors, so that they can be matched."}),
      option<&FoagddOptions::descriptor_scale>(
          {.name = "descriptor_scale",
           .group = own,
           .sentence = "Blur of the image in which corners are described: the scale of the keypoints.",
           .symbol = "PX",
           .unit = "pixel",
           .low = 1.6,
           .high = 8,
           .needs = describe_need}),
      option<&FoagddOptions::descriptor>(
          {.name = "descriptor",
           .group = description,
           .sentence = "Descriptors after Lowe (2004), or RootSIFT after Arandjelovic and Zisserman (2012).",
           .words = descriptor_words,
           .needs = describe_need}),
      option<&FoagddOptions::upright>(
          {.name = "upright",
           .group = description,
           .sentence = "One keypoint per corner, orientation 0: for images that are not rotated.",
           .needs = describe_need}),
      option<&FoagddOptions::max_orientations>(
          {.name = "max_orientations",
           .group = description,
           .sentence = "Keypoints at most that one corner gives, one for each strong orientation.",
           .symbol = "N",
           .low = 1,
           .high = 4,
           .needs = turned_needs}),
  };
}

}  // namespace

FoagddOptions sfm() { return {.corner_threshold = 4, .max_features = 8192}; }

// Structure from motion wants many corners that several images show, and tells wrong ones by its geometry.
constexpr std::array<OptionPreset<FoagddOptions>, 1> presets{{{"sfm", sfm}}};

template <>
const OptionTable<FoagddOptions>& option_table<FoagddOptions>() {
  static const OptionTable<FoagddOptions> table{.name = "foagdd",
                                                .title = "FOAGDD",
                                                .sentence = "corners, after Zhang and Sun (2020)",
                                                .options = rows(),
                                                .presets = {presets.begin(), presets.end()},
                                                .check_together = check_directions_fit_window};
  return table;
}

void validate(const FoagddOptions& options) { option_table<FoagddOptions>().validate(options); }

}  // namespace octavo
