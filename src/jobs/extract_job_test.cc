// The features of many images as files: what fails costs nothing else, what is done stays, and shards make the whole.

#include "octavo/jobs/image_jobs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "jobs/made_images.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

class ExtractFeatures : public testing::Test {
 protected:
  ExtractFeatures() {
    for (int i = 0; i < 6; ++i) {
      const std::string name = std::to_string(i) + ".png";
      write_image(folder / name, made_image(static_cast<std::uint32_t>(i)).view());
      job.images.push_back({folder / name, name});
    }
    job.output = folder / "features";
    job.format = FeatureFormat::npz;
    job.device.name = "cpu";
  }

  ExtractSummary run(const std::stop_token& stop = {}) {
    failures.clear();
    return extract_features(job,
                            {.stop = stop, .fail = [&](const std::string& sentence) { failures.push_back(sentence); }});
  }

  static std::map<std::string, std::string> files_in(const fs::path& place) {
    std::map<std::string, std::string> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(place)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      files[entry.path().filename().string()] = {std::istreambuf_iterator<char>(file), {}};
    }
    return files;
  }

  TestFolder folder;
  ExtractJob job;
  std::vector<std::string> failures;
};

TEST_F(ExtractFeatures, AnImageThatFailsCostsNoOther) {
  job.images[2].file = folder / "none.png";
  std::vector<std::string> told;
  job.take = [&](const ExtractedImage& image) {
    EXPECT_EQ(image.keypoints, image.features->size());
    told.push_back(image.image.name.string());
    return true;
  };
  const ExtractSummary summary = run();
  EXPECT_EQ(told, (std::vector<std::string>{"0.png", "1.png", "3.png", "4.png", "5.png"}));
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_NE(failures[0].find("none.png"), std::string::npos);
  EXPECT_TRUE(summary.is_finished);
  EXPECT_EQ(summary.done, 6u);
  EXPECT_EQ(files_in(job.output).size(), 6u);  // five of them, and the manifest
}

TEST_F(ExtractFeatures, WhatStopsGoesOn) {
  run();
  const auto whole = files_in(job.output);
  fs::remove_all(job.output);
  std::stop_source stop;
  int told = 0;
  job.take = [&](const ExtractedImage&) {
    if (++told == 2) stop.request_stop();
    return true;
  };
  EXPECT_FALSE(run(stop.get_token()).is_finished);
  job.take = {};
  job.skip_existing = true;
  const ExtractSummary rest = run();
  EXPECT_TRUE(rest.is_finished);
  EXPECT_GE(rest.up_to_date, 2u);
  EXPECT_LT(rest.up_to_date, 6u);
  EXPECT_EQ(files_in(job.output), whole);
}

TEST_F(ExtractFeatures, WhoTakesNothingMoreEndsTheJob) {
  job.take = [](const ExtractedImage&) { return false; };
  const ExtractSummary summary = run();
  EXPECT_EQ(summary.done, 1u);
  EXPECT_FALSE(summary.is_finished);
}

TEST_F(ExtractFeatures, ShardsMakeTheWhole) {
  for (const FeatureFormat format : {FeatureFormat::npz, FeatureFormat::hloc}) {
    const bool is_hloc = format == FeatureFormat::hloc;
    job.format = format;
    job.output = folder / (is_hloc ? "whole.h5" : "whole");
    job.shard.reset();
    run();
    std::vector<fs::path> parts;
    for (std::uint32_t number = 1; number <= 3; ++number) {
      job.shard = Shard{number, 3};
      job.output = folder / ("part" + std::to_string(number) + (is_hloc ? "h" : ""));
      EXPECT_TRUE(run().is_finished);
      parts.push_back(job.output);
    }
    const fs::path merged = folder / (is_hloc ? "merged.h5" : "merged");
    EXPECT_EQ(merge_parts(merged, parts).items, 6u);
    if (is_hloc) {
      EXPECT_EQ(files_in(folder.path)["merged.h5"], files_in(folder.path)["whole.h5"]);
    } else {
      EXPECT_EQ(files_in(merged), files_in(folder / "whole"));
    }
  }
}

TEST_F(ExtractFeatures, RefusesWhatDoesNotFitBeforeTheWork) {
  const auto refused = [&](const auto& change) {
    ExtractJob kept = job;
    change();
    EXPECT_THROW(run(), Error);
    EXPECT_FALSE(fs::exists(job.output) && job.output == kept.output);
    job = kept;
  };
  refused([&] { job.images.push_back({folder / "x" / "0.png", "0.png"}); });
  refused([&] { job.output.clear(), job.draw = true; });
  refused([&] { job.output = folder / "features.npz"; });
  refused([&] { job.format = FeatureFormat::hloc, job.draw = true; });
  refused([&] { job.detector = detector_options("foagdd"), job.format = FeatureFormat::colmap; });
  refused([&] { job.mask = folder / "none.png"; });
  refused([&] { job.images[0].file = job.output = folder / "0.png"; });
}

}  // namespace
}  // namespace octavo
