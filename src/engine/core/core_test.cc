// Errors name the wrong option; presets have the values of their sources; images refuse impossible sizes.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "engine/core/plane.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/sift_options.h"

namespace octavo {
namespace {

TEST(SiftOptions, DefaultsAndPresetsAreValid) {
  EXPECT_NO_THROW(validate(SiftOptions{}));
  for (const std::string& name : preset_names()) EXPECT_NO_THROW(validate(preset(name))) << name;
}

TEST(SiftOptions, EveryOptionOutOfRangeIsNamed) {
  const std::pair<const char*, std::function<void(SiftOptions&)>> wrong[] = {
      {"first_octave is 1", [](SiftOptions& o) { o.first_octave = 1; }},
      {"max_octaves is -1", [](SiftOptions& o) { o.max_octaves = -1; }},
      {"layers is 0", [](SiftOptions& o) { o.layers = 0; }},
      {"layers is 9", [](SiftOptions& o) { o.layers = 9; }},
      {"sigma is 0.1", [](SiftOptions& o) { o.sigma = 0.1; }},
      {"sigma is nan", [](SiftOptions& o) { o.sigma = std::nan(""); }},
      {"assumed_blur is -1", [](SiftOptions& o) { o.assumed_blur = -1; }},
      {"contrast_threshold is 2", [](SiftOptions& o) { o.contrast_threshold = 2; }},
      {"edge_threshold is 0.5", [](SiftOptions& o) { o.edge_threshold = 0.5; }},
      {"max_orientations is 5", [](SiftOptions& o) { o.max_orientations = 5; }},
      {"max_features is -3", [](SiftOptions& o) { o.max_features = -3; }},
      {"grid is 65", [](SiftOptions& o) { o.grid = 65; }},
  };
  for (const auto& [sentence, change] : wrong) {
    SiftOptions options;
    change(options);
    try {
      validate(options);
      ADD_FAILURE() << sentence << " was accepted";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::invalid_option);
      EXPECT_NE(std::string(e.what()).find(sentence), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find("must be between"), std::string::npos) << e.what();
    }
  }
}

TEST(SiftOptions, UnknownPresetListsTheKnownOnes) {
  try {
    preset("sift");
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(
        e.what(),
        "preset is \"sift\", but must be one of octavo, best, lowe2004, opencv, colmap, ece277, mizuno2015, tsp2023");
  }
}

TEST(Image, RefusesImpossibleSizes) {
  EXPECT_THROW(Image(-1, 1, 1, PixelType::u8), Error);
  EXPECT_THROW(Image(1, 1, 5, PixelType::u8), Error);
  EXPECT_TRUE(Image(0, 3, 1, PixelType::u8).empty());
}

TEST(Image, CloneIsEqualAndApart) {
  Image image(3, 2, 1, PixelType::u16);
  reinterpret_cast<std::uint16_t*>(image.row(1))[2] = 777;
  Image copy = image.clone();
  reinterpret_cast<std::uint16_t*>(image.row(1))[2] = 1;
  EXPECT_EQ(reinterpret_cast<std::uint16_t*>(copy.row(1))[2], 777);
}

TEST(Plane, RowsStartOnCacheLinesAndMemoryIsKept) {
  Plane plane;
  plane.resize(1000, 700);
  float* first = plane.row(0);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(plane.row(1)) % 64, 0u);
  plane.resize(17, 3);
  EXPECT_EQ(plane.row(0), first);
  EXPECT_EQ(plane.stride(), 3 * 16);  // an odd number of cache lines
}

}  // namespace
}  // namespace octavo
