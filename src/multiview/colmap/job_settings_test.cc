#include "multiview/colmap/job_settings.h"

#include <gtest/gtest.h>

#include "io/json/json.h"
#include "octavo/error.h"

namespace octavo::colmap {
namespace {

void expect_taken(const ColmapJob& job) {
  ColmapJob other;
  other.detector = FoagddOptions{};
  take_settings(other, settings_of(job));
  EXPECT_EQ(settings_of(other), settings_of(job));
}

TEST(JobSettings, AreTakenFromTheirText) {
  expect_taken({});
  ColmapJob job;
  job.camera_params = {500.5, 320, 240, 0.01};
  job.options = {.cameras = ColmapOptions::Cameras::one, .verify = ColmapOptions::Verify::usac, .guided = true};
  job.match.ratio = 0.7F;
  job.robust.threshold = 2.5;
  job.robust.seed = 9;
  expect_taken(job);
  for (const DetectorFacts& detector : detectors()) {
    for (const std::string_view preset : detector.presets) {
      SCOPED_TRACE(preset);
      job.detector = with_preset(detector_options(detector.name), preset);
      expect_taken(job);
    }
  }
}

TEST(JobSettings, HaveTheRangeOfValues) {
  EXPECT_EQ(range_of_settings(settings_of({})), range_text({}));
  ColmapJob job;
  job.read.black = 7, job.read.white = 4000;
  EXPECT_EQ(range_of_settings(settings_of(job)), range_text(job.read));
}

TEST(JobSettings, OfAnEarlierBuildLackOptionsThatAreNewAtTheirDefault) {
  ColmapJob job;
  job.match.ratio = 0.7F;
  const std::string now = settings_of(job);
  const auto without = [&](const char* group, const char* option) {
    Json stored = parse_json(now);
    stored[group].erase(option);
    return json_text(stored);
  };
  EXPECT_TRUE(are_equal_settings(now, now));
  EXPECT_TRUE(are_equal_settings(without("match", "distinct_radius"), now));
  EXPECT_TRUE(are_equal_settings(without("detector", "views"), now));
  EXPECT_FALSE(are_equal_settings(without("match", "ratio"), now)) << "another than the default";
  EXPECT_FALSE(are_equal_settings(now, settings_of({})));
  Json of_later_build = parse_json(now);
  of_later_build["match"]["unknown"] = 1;
  EXPECT_FALSE(are_equal_settings(json_text(of_later_build), now));
  job.mask = ".";
  EXPECT_FALSE(are_equal_settings(now, settings_of(job)));
  EXPECT_FALSE(are_equal_settings("part 1/2 of features: " + now, now));
}

TEST(JobSettings, HaveTheRuleOfGivenFeatures) {
  ColmapJob job;
  const std::string detected = settings_of(job);
  EXPECT_EQ(features_rule_in(detected) + features_rule_in(""), "");
  job.features_rule = "a \"rule\"";
  const std::string given = settings_of(job);
  EXPECT_EQ(features_rule_in(given), job.features_rule);
  EXPECT_EQ(settings_of({}, job.features_rule), given);
  EXPECT_TRUE(are_equal_settings(given, given));
  EXPECT_FALSE(are_equal_settings(given, detected));
  EXPECT_FALSE(are_equal_settings(detected, given));
  EXPECT_FALSE(are_equal_settings(settings_of({}, "another"), given));
  EXPECT_THROW(take_settings(job, given), Json::exception);
}

TEST(JobSettings, OfAnotherTextAreRefused) {
  ColmapJob job;
  EXPECT_THROW(take_settings(job, "no JSON"), Json::exception);
  EXPECT_THROW(take_settings(job, "{}"), Json::exception);
  EXPECT_THROW(take_settings(job, R"({"detector":{"detector":"surf"}})"), Error);
}

}  // namespace
}  // namespace octavo::colmap
