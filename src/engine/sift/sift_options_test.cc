// The table reads, checks and sets options by name; its errors name the option and the reason. Presets have the values
// of their sources.

#include "octavo/sift_options.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <set>

#include "engine/scale_space/plan.h"
#include "engine/sift/sift_parts.h"
#include "octavo/error.h"

namespace octavo {
namespace {

const OptionTable<SiftOptions>& table = option_table<SiftOptions>();

// "VALUE, REASON" of the error that setting the option gives; empty if it is set.
std::string refusal(std::string_view name, const OptionValue& value) {
  SiftOptions options;
  const SiftOptions before = options;
  try {
    table.set(options, *table.find(name), value);
    return "";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::invalid_option);
    EXPECT_EQ(e.option(), name);
    EXPECT_EQ(options, before);
    EXPECT_EQ(e.what(), std::string(e.option()) + " is " + std::string(e.value()) + ", but " + std::string(e.reason()));
    return std::string(e.value()) + ", " + std::string(e.reason());
  }
}

TEST(OptionTable, SaysWhatThereIsToKnow) {
  const OptionFacts& layers = *table.find("layers");
  EXPECT_EQ(layers.kind, OptionKind::integer);
  EXPECT_TRUE(layers.is_bounded);
  EXPECT_EQ(layers.low, 1);
  EXPECT_EQ(layers.high, 8);
  EXPECT_EQ(table.find("sigma")->kind, OptionKind::number);
  EXPECT_EQ(table.find("sigma")->unit, "pixel");
  EXPECT_EQ(table.find("upright")->kind, OptionKind::flag);
  EXPECT_EQ(table.find("rank")->kind, OptionKind::choice);
  EXPECT_EQ(table.find("Layers"), nullptr);
  std::set<std::string_view> names;
  for (const auto& option : table.options) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_FALSE(option.sentence.empty()) << option.name;
    EXPECT_EQ(option.kind == OptionKind::choice, !option.words.empty()) << option.name;
  }
}

// A new member of the struct must have a row, or it would be neither checked nor settable.
TEST(OptionTable, HasARowForEveryMember) {
  SiftOptions other{.first_octave = 0,
                    .max_octaves = 2,
                    .layers = 2,
                    .sigma = 3,
                    .assumed_blur = 1,
                    .blur_truncate = 2.5,
                    .border = Border::repeated,
                    .contrast_threshold = 0.5,
                    .edge_threshold = 5,
                    .smoothing = Smoothing::trilateral,
                    .trilateral_schedule = SmoothingSchedule::incremental,
                    .trilateral_range = TrilateralRange::gradients,
                    .trilateral_window = TrilateralWindow::certified,
                    .trilateral_truncate = 4,
                    .orientation = OrientationMethod::lowe,
                    .max_orientations = 2,
                    .affine = true,
                    .upright = true,
                    .luma = Luma::bt601,
                    .grey = GreyOn::host,
                    .views = Views::many,
                    .descriptor = DescriptorKind::sift,
                    .pool = 4,
                    .pool_from = 0.25,
                    .pool_to = 3,
                    .target_features = 5,
                    .max_points = 6,
                    .max_features = 7,
                    .rank = Rank::scale,
                    .grid = 3};
  SiftOptions copy;
  for (const auto& option : table.options) {
    EXPECT_NE(option.read(copy, option), option.read(other, option)) << option.name;
    table.set(copy, option, option.read(other, option));
    EXPECT_EQ(option.read(copy, option), option.read(other, option)) << option.name;
  }
  EXPECT_EQ(copy, other);
}

TEST(OptionTable, RefusesWhatAnOptionCannotBe) {
  EXPECT_EQ(refusal("layers", 9), "9, must be between 1 and 8");
  EXPECT_EQ(refusal("layers", 8), "");
  EXPECT_EQ(refusal("layers", 99'999'999'999), "99999999999, must be between 1 and 8");
  EXPECT_EQ(refusal("layers", 2.0), "2, must be a whole number");
  EXPECT_EQ(refusal("sigma", 2), "");
  EXPECT_EQ(refusal("sigma", 4.5), "4.5, must be between 0.8 and 4");
  EXPECT_EQ(refusal("sigma", std::nan("")), "nan, must be between 0.8 and 4");
  EXPECT_EQ(refusal("sigma", HUGE_VAL), "inf, must be between 0.8 and 4");
  EXPECT_EQ(refusal("sigma", "wide"), "\"wide\", must be a number");
  EXPECT_EQ(refusal("edge_threshold", 0.0), "");
  EXPECT_EQ(refusal("edge_threshold", 0.5), "0.5, must be between 1 and 1000, or 0");
  EXPECT_EQ(refusal("edge_threshold", std::nan("")), "nan, must be between 1 and 1000, or 0");
  EXPECT_EQ(refusal("upright", 1), "1, must be true or false");
  EXPECT_EQ(refusal("rank", "size"), "\"size\", must be one of response, scale, scaled-response");
  EXPECT_EQ(refusal("rank", "scales"),
            "\"scales\", must be one of response, scale, scaled-response; did you mean scale?");
  EXPECT_EQ(refusal("rank", 1), "1, must be one of response, scale, scaled-response");
}

TEST(OptionTable, ValidatesEnumeratorsThatAreNone) {
  SiftOptions options;
  options.luma = static_cast<Luma>(7);
  try {
    validate(options);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "luma is 7, but must be one of bt709, bt601");
  }
}

TEST(OptionTable, WhatFollowsFromAnOptionIsSetWithIt) {
  SiftOptions options;
  const auto set = [&](std::string_view name, const OptionValue& value) {
    table.set(options, *table.find(name), value);
  };
  set("smoothing", "trilateral");
  EXPECT_EQ(options.edge_threshold, 0);
  EXPECT_EQ(options.contrast_threshold, 0);
  EXPECT_EQ(options.sigma, 1.6);
  EXPECT_EQ(options.layers, 3);
  EXPECT_EQ(options.assumed_blur, 0.5);
  EXPECT_EQ(options.blur_truncate, 4);
  EXPECT_EQ(options.rank, Rank::response);
  set("edge_threshold", 7);
  set("contrast_threshold", 0.02);
  set("smoothing", "trilateral");
  EXPECT_EQ(options.edge_threshold, 7);
  EXPECT_EQ(options.contrast_threshold, 0.02);
  set("smoothing", "gaussian");
  EXPECT_EQ(options, SiftOptions());
}

TEST(OptionTable, WritesOptionsAsJson) {
  const std::string json = json_of(table, SiftOptions{.upright = true, .luma = Luma::bt601});
  EXPECT_TRUE(
      json.starts_with("{\"first_octave\":-1,\"max_octaves\":0,\"smoothing\":\"gaussian\",\"layers\":4,\"sigma\":2,"))
      << json;
  EXPECT_TRUE(json.ends_with(",\"upright\":true,\"orientation\":\"pooled\",\"max_orientations\":1}")) << json;
  EXPECT_NE(json.find("\"luma\":\"bt601\""), std::string::npos) << json;
}

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

TEST(SiftOptions, ABudgetOfKeypointsReplacesOneOfPoints) {
  SiftOptions options = preset("sfm");
  EXPECT_EQ(options.max_points, 8192);
  EXPECT_STREQ(table.unmet(options, *table.find("max_features"))->option.data(), "max_points");
  table.set(options, *table.find("max_features"), std::int64_t{5});
  SiftOptions expected = preset("sfm");
  expected.max_points = 0;
  expected.max_features = 5;
  EXPECT_EQ(options, expected);
  options = preset("lowe2004");  // without a budget
  table.set(options, *table.find("max_points"), std::int64_t{7});
  EXPECT_EQ(options.max_points, 7);
  EXPECT_EQ(table.unmet(options, *table.find("rank")), nullptr);
}

TEST(SiftOptions, UnknownPresetListsTheKnownOnes) {
  try {
    preset("sift");
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(
        e.what(),
        "preset is \"sift\", but must be one of octavo, best, sfm, wide, signature, lowe2004, opencv, colmap, ece277, "
        "mizuno2015, tsp2023");
  }
}

// The slides of Lo 2022 have a table of 20 σ [pixel of the image]: 0.707 to 2.828 in the first octave, each √2 times
// the one before, and twice these in each later octave, up to 22.627. A difference is compared with 0.03.
TEST(SiftOptions, Ece277HasTheTableOfItsSource) {
  const SiftOptions options = preset("ece277");
  const ScaleSpacePlan plan = plan_scale_space(640, 480, scale_space_of(options));
  ASSERT_TRUE(plan.doubled);
  ASSERT_EQ(plan.octaves.size(), 4u);
  ASSERT_EQ(plan.levels(), 5);
  const double first[] = {0.707, 1.0, 1.414, 2.0, 2.828};
  double pixel = 0.5;  // of the octave, in pixels of the image
  for (std::size_t octave = 0; octave < 4; ++octave, pixel *= 2) {
    double variance = plan.base.sigma * plan.base.sigma + 1;  // the doubled image has a blur of 1 pixel
    for (std::size_t level = 0; level < 5; ++level) {
      if (level > 0) variance += plan.step[level - 1].sigma * plan.step[level - 1].sigma;
      EXPECT_NEAR(std::sqrt(variance) * pixel, first[level] * std::exp2(octave), 0.0005 * std::exp2(octave));
    }
  }
  EXPECT_NEAR(22.627, first[4] * 8, 0.004);
  // The slides' kernels of 5 × 5 take these numbers for variances: that of the first has this value in its centre.
  EXPECT_NEAR(1 / (2 * std::numbers::pi * std::numbers::sqrt2 / 2), 0.225079, 5e-7);
  EXPECT_EQ(options.luma, Luma::bt601);
  EXPECT_DOUBLE_EQ(options.contrast_threshold / options.layers, 0.03);
  EXPECT_EQ(options.edge_threshold, 10);
}

// tsp 2023: grey by BT.709, six octaves from the image itself, one kernel of 7 taps of σ = √2 repeated. Beyond the
// input of the octave, which has no blur, this makes the blurs √2, 2 and √6.
TEST(SiftOptions, Tsp2023RepeatsOneKernelOfSevenTaps) {
  const SiftOptions options = preset("tsp2023");
  EXPECT_EQ(options.luma, Luma::bt709);
  const ScaleSpacePlan plan = plan_scale_space(640, 480, scale_space_of(options));
  EXPECT_FALSE(plan.doubled);
  ASSERT_EQ(plan.octaves.size(), 6u);
  EXPECT_EQ(plan.octaves[0].width, 640);
  EXPECT_EQ(plan.octaves[5].height, 15);
  ASSERT_EQ(plan.levels(), 4);
  EXPECT_EQ(plan.halved, 2) << "every second pixel of the third image begins the next octave";
  EXPECT_EQ(plan_scale_space(493, 356, scale_space_of(options)).octaves.size(), 6u);
  EXPECT_EQ(plan_scale_space(128, 128, scale_space_of(options)).octaves.size(), 6u);
  EXPECT_EQ(plan.base.weight, std::vector<float>{1});
  ASSERT_EQ(plan.step.size(), 3u);
  const double weights[] = {1, std::exp(-0.25), std::exp(-1.0), std::exp(-2.25)};
  const double sum = weights[0] + 2 * (weights[1] + weights[2] + weights[3]);
  double variance = 0;
  const double sigmas[] = {0, std::sqrt(2), 2, std::sqrt(6)};
  EXPECT_EQ(sigma_of_level(scale_space_of(options), 0), 0);
  for (int level = 1; level < 4; ++level) {
    const Taps& taps = plan.step[static_cast<std::size_t>(level) - 1];
    ASSERT_EQ(taps.radius(), 3);
    for (std::size_t k = 0; k <= 3; ++k) EXPECT_NEAR(taps.weight[k], weights[k] / sum, 1e-7);
    variance += taps.sigma * taps.sigma;
    EXPECT_NEAR(std::sqrt(variance), sigmas[level], 1e-7);
    EXPECT_NEAR(sigma_of_level(scale_space_of(options), level), sigmas[level], 1e-7);
  }
}

}  // namespace
}  // namespace octavo
