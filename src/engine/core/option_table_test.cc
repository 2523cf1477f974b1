// Tables read, check and set options by name. Their errors name the option and the reason.

#include "octavo/option_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "octavo/error.h"
#include "octavo/sift_options.h"

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
                    .contrast_threshold = 0.5,
                    .edge_threshold = 5,
                    .smoothing = Smoothing::trilateral,
                    .trilateral_schedule = SmoothingSchedule::incremental,
                    .trilateral_range = TrilateralRange::gradients,
                    .trilateral_window = TrilateralWindow::certified,
                    .trilateral_truncate = 4,
                    .max_orientations = 1,
                    .affine = true,
                    .upright = true,
                    .luma = Luma::bt601,
                    .descriptor = DescriptorKind::sift,
                    .pool = 4,
                    .pool_from = 0.25,
                    .pool_to = 3,
                    .target_features = 5,
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

TEST(OptionTable, WritesValuesAsPeopleDo) {
  EXPECT_EQ(option_text(true), "true");
  EXPECT_EQ(option_text(-12), "-12");
  EXPECT_EQ(option_text(0.04), "0.04");
  EXPECT_EQ(option_text(1e-6), "0.000001");
  EXPECT_EQ(option_text(1 - 1e-6), "0.999999");
  EXPECT_EQ(option_text(1e100), "1e+100");
  EXPECT_EQ(option_text(0.0), "0");
  EXPECT_EQ(option_text("bt709"), "bt709");
}

TEST(OptionTable, WritesJson) {
  EXPECT_EQ(json_of(true), "true");
  EXPECT_EQ(json_of(-12), "-12");
  EXPECT_EQ(json_of(0.25), "0.25");
  EXPECT_EQ(json_of(std::nan("")), "null");
  EXPECT_EQ(json_of("a\"b\\c\n"), "\"a\\\"b\\\\c\\u000a\"");
  const std::string json = json_of(table, SiftOptions{.upright = true, .luma = Luma::bt601});
  EXPECT_TRUE(
      json.starts_with("{\"first_octave\":-1,\"max_octaves\":0,\"smoothing\":\"gaussian\",\"layers\":4,\"sigma\":2,"))
      << json;
  EXPECT_TRUE(json.ends_with(",\"upright\":true,\"max_orientations\":4}")) << json;
  EXPECT_NE(json.find("\"luma\":\"bt601\""), std::string::npos) << json;
}

TEST(Error, WithoutAnOptionHasNoneOfItsParts) {
  const Error plain(ErrorCode::file_error, "no such file");
  EXPECT_TRUE(plain.option().empty() && plain.value().empty() && plain.reason().empty());
  const Error of_robust(ErrorCode::invalid_option, InvalidOption{"threshold", "0", "must be more"}, "robust");
  EXPECT_STREQ(of_robust.what(), "robust threshold is 0, but must be more");
  EXPECT_EQ(of_robust.option(), "threshold");
}

}  // namespace
}  // namespace octavo
