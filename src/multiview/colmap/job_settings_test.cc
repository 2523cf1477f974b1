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

TEST(JobSettings, OfAnotherTextAreRefused) {
  ColmapJob job;
  EXPECT_THROW(take_settings(job, "no JSON"), Json::exception);
  EXPECT_THROW(take_settings(job, "{}"), Json::exception);
  EXPECT_THROW(take_settings(job, R"({"detector":{"detector":"surf"}})"), Error);
}

}  // namespace
}  // namespace octavo::colmap
