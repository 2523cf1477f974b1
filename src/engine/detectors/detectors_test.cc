// Detectors by name. Their options are those of their tables, and shared options keep their values when the detector
// changes.

#include "octavo/detectors.h"

#include <gtest/gtest.h>

#include <string>

#include "octavo/error.h"
#include "octavo/image.h"

namespace octavo {
namespace {

TEST(Detectors, AreFoundByName) {
  ASSERT_EQ(detectors().size(), std::variant_size_v<DetectorOptions>);
  for (const DetectorFacts& detector : detectors()) {
    const DetectorOptions options = detector_options(detector.name);
    EXPECT_EQ(&detector_of(options), &detector);
    EXPECT_NO_THROW(validate(options));
    EXPECT_FALSE(detector.title.empty() || detector.sentence.empty()) << detector.name;
    for (const std::string_view preset : detector.presets) EXPECT_NO_THROW(validate(with_preset(options, preset)));
  }
  EXPECT_TRUE(std::holds_alternative<FoagddOptions>(detector_options("foagdd")));
  try {
    detector_options("harris");
    FAIL();
  } catch (const Error& e) {
    EXPECT_TRUE(std::string(e.what()).starts_with("detector is \"harris\", but must be one of sift, foagdd"))
        << e.what();
  }
}

TEST(Detectors, OptionsOfOneNameAreOfOneKindAndRange) {
  for (const DetectorFacts& one : detectors()) {
    for (const OptionFacts& option : one.options) {
      for (const OptionNeed& need : option.needs) ASSERT_NE(one.find(need.option), nullptr) << option.name;
      for (const DetectorFacts& other : detectors()) {
        const OptionFacts* const same = other.find(option.name);
        if (same == nullptr) continue;
        EXPECT_EQ(same->kind, option.kind) << option.name;
        EXPECT_EQ(same->low, option.low) << option.name;
        EXPECT_EQ(same->high, option.high) << option.name;
        EXPECT_EQ(same->special, option.special) << option.name;
        EXPECT_EQ(same->odd, option.odd) << option.name;
        EXPECT_TRUE(std::equal(same->words.begin(), same->words.end(), option.words.begin(), option.words.end()));
      }
    }
  }
}

TEST(Detectors, OptionsWithoutEffectAreKnown) {
  const auto unmet = [](const DetectorOptions& options, std::string_view option) -> std::string_view {
    const OptionNeed* const need = unmet_need(options, option);
    return need != nullptr ? need->option : "";
  };
  EXPECT_EQ(unmet(SiftOptions{}, "layers"), "");
  EXPECT_EQ(unmet(SiftOptions{.max_features = 0}, "grid"), "max_features");
  EXPECT_EQ(unmet(SiftOptions{}, "grid"), "");
  EXPECT_EQ(unmet(preset("colmap"), "rank"), "");
  EXPECT_EQ(unmet(SiftOptions{}, "trilateral_range"), "smoothing");
  EXPECT_EQ(unmet(SiftOptions{.smoothing = Smoothing::trilateral}, "trilateral_range"), "");
  EXPECT_EQ(unmet(SiftOptions{}, "max_orientations"), "");
  EXPECT_EQ(unmet(SiftOptions{.upright = true}, "max_orientations"), "upright");
  EXPECT_EQ(unmet(FoagddOptions{.upright = true}, "max_orientations"), "describe");
  EXPECT_EQ(unmet(FoagddOptions{.describe = true, .upright = true}, "max_orientations"), "upright");
  EXPECT_EQ(unmet(FoagddOptions{}, "grid"), "max_features");
}

TEST(Detectors, OptionsAreSetByName) {
  DetectorOptions options = FoagddOptions{};
  set_option(options, "window", 5);
  set_option(options, "luma", "bt709");
  EXPECT_EQ(std::get<FoagddOptions>(options), (FoagddOptions{.window = 5, .luma = Luma::bt709}));
  EXPECT_EQ(option_of(options, "rho"), OptionValue(1.5));
  EXPECT_THROW(set_option(options, "window", 6), Error);
  EXPECT_THROW(set_option(options, "layers", 3), Error);
  EXPECT_THROW(option_of(options, "layers"), Error);
  EXPECT_EQ(std::get<FoagddOptions>(options).window, 5);
  set_option(options, "window", 3);
  set_option(options, "directions", 10);
  EXPECT_THROW(validate(options), Error);
}

TEST(Detectors, AreWrittenAsJson) {
  const std::string json = json_of(DetectorOptions(FoagddOptions{.window = 5}));
  EXPECT_TRUE(json.starts_with("{\"detector\":\"foagdd\",\"directions\":8,")) << json;
  EXPECT_NE(json.find("\"window\":5"), std::string::npos) << json;
}

TEST(Detectors, SharedOptionsComeAlongWhereTheyAreNotTheDefault) {
  const DetectorOptions sift =
      SiftOptions{.layers = 5, .upright = true, .luma = Luma::bt601, .max_features = 500, .grid = 4};
  const FoagddOptions expected{.upright = true, .max_features = 500, .grid = 4};
  EXPECT_EQ(std::get<FoagddOptions>(with_detector(sift, "foagdd")), expected);
  EXPECT_EQ(std::get<SiftOptions>(with_detector(sift, "sift")), std::get<SiftOptions>(sift));
  const SiftOptions back{.upright = true, .max_features = 500, .grid = 4};
  EXPECT_EQ(std::get<SiftOptions>(with_detector(expected, "sift")), back);
  EXPECT_EQ(max_features_of(sift), 500);
  EXPECT_EQ(max_features_of(SiftOptions{.target_features = 70, .max_features = 500}), 70);
}

TEST(Detectors, TheOthersPresetOfTheSameNameComesAlong) {
  const DetectorOptions sift = with_preset(SiftOptions(), "sfm"), foagdd = with_preset(FoagddOptions(), "sfm");
  EXPECT_EQ(with_detector(sift, "foagdd"), foagdd);
  EXPECT_EQ(with_detector(foagdd, "sift"), sift);
  EXPECT_LT(std::get<FoagddOptions>(foagdd).corner_threshold, FoagddOptions().corner_threshold);
  EXPECT_EQ(with_detector(with_preset(SiftOptions(), "best"), "foagdd").index(), foagdd.index());
}

TEST(Detectors, DescribeOnRequestOrAlways) {
  EXPECT_TRUE(describes(SiftOptions{}));
  EXPECT_FALSE(describes(FoagddOptions{}));
  for (const DetectorFacts& detector : detectors()) {
    const DetectorOptions options = detector_options(detector.name);
    if (detector.has_descriptors) {
      EXPECT_TRUE(describes(described(options))) << detector.name;
    } else {
      EXPECT_FALSE(describes(options)) << detector.name;
      EXPECT_THROW(described(options), Error) << detector.name;
    }
  }
}

TEST(Detectors, MakeTheExtractorOfTheOptions) {
  const Image board = [] {
    Image image(96, 96, 1, PixelType::u8);
    for (int y = 0; y < 96; ++y) {
      for (int x = 0; x < 96; ++x) image.row(y)[x] = static_cast<std::byte>((x / 12 + y / 12) % 2 * 200);
    }
    return image;
  }();
  const DeviceOptions device{.name = "cpu", .threads = 1};
  for (const DetectorFacts& detector : detectors()) {
    const DetectorOptions options = detector_options(detector.name);
    const Features found =
        make_extractor(detector.has_descriptors ? described(options) : options, device).extract(board.view());
    if (!detector.has_descriptors) {
      EXPECT_TRUE(found.descriptors.empty()) << detector.name;
      continue;
    }
    EXPECT_GT(found.size(), 0u) << detector.name;
    EXPECT_EQ(found.descriptors.size(), found.size() * descriptor_length) << detector.name;
  }
  EXPECT_EQ(make_extractor(FoagddOptions{}, device).extract(board.view()), Foagdd({}, device).extract(board.view()));
  EXPECT_THROW(make_extractor(SiftOptions{.layers = 0}, device), Error);
}

}  // namespace
}  // namespace octavo
