// Evaluations as jobs: what is told, what a stop leaves, and what is refused before the work.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "jobs/made_images.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "octavo/jobs/evaluate_jobs.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

class EvaluateJobs : public testing::Test {
 protected:
  EvaluateJobs() {
    fs::create_directory(folder / "v_wall");
    for (const char* const name : {"1.png", "2.png", "3.png"}) {
      write_image(folder / "v_wall" / name, made_image(7).view());
    }
    for (const char* const name : {"H_1_2", "H_1_4"}) {
      std::ofstream(folder / "v_wall" / name) << "1 0 0 0 1 0 0 0 1";
    }
    context.fail = [this](const std::string& sentence) { failures.push_back(sentence); };
    job.root = folder.path;
    job.configurations = {{.name = "few", .detector = SiftOptions{.max_features = 10}}, {.name = "all"}};
    job.page = folder / "page.html";
    job.device.name = "cpu";
  }

  // The code of the error that the job throws.
  [[nodiscard]] ErrorCode refused() const {
    try {
      evaluate_dataset(job, context);
    } catch (const Error& error) {
      return error.code();
    }
    ADD_FAILURE() << "it is not refused";
    return ErrorCode::out_of_memory;
  }

  TestFolder folder;
  EvaluateJob job;
  JobContext context;
  std::vector<std::string> failures;
};

TEST_F(EvaluateJobs, ComparesPairsAndTellsWhatFails) {
  const EvaluateResult result = evaluate_dataset(job, context);
  EXPECT_TRUE(result.is_finished && result.has_page && fs::exists(job.page));
  ASSERT_EQ(result.pairs.size(), 1u);
  EXPECT_EQ(result.pairs[0].image_b, fs::path("v_wall/2.png"));
  ASSERT_EQ(result.pairs[0].scores.size(), 2u);
  EXPECT_EQ(result.pairs[0].scores[0].keypoints_a, 10);
  EXPECT_EQ(result.groups.at(0).means.at(1).repeatability[0], 1);
  EXPECT_EQ(result.sequences.at(0).name, "v_wall");
  EXPECT_NE(result.json.find("\"few\""), std::string::npos);
  EXPECT_EQ(failures.size(), 2u) << "image 3 has no homography, and H_1_4 no image";
}

TEST_F(EvaluateJobs, AStopLeavesNoPage) {
  std::stop_source stop;
  context.stop = stop.get_token();
  context.progress = [&](const ProgressStep& step) {
    if (step.item == "v_wall/2.png") stop.request_stop();
  };
  const EvaluateResult result = evaluate_dataset(job, context);
  EXPECT_FALSE(result.is_finished || result.has_page || fs::exists(job.page));
}

TEST_F(EvaluateJobs, WhatCannotWorkIsRefused) {
  job.configurations.push_back({.name = "few"});
  EXPECT_EQ(refused(), ErrorCode::invalid_option) << "two of one name";
  job.configurations.pop_back();
  job.configurations[1].features = folder / "none";
  EXPECT_EQ(refused(), ErrorCode::invalid_option) << "no folder of features";
  job.configurations.clear();
  EXPECT_EQ(refused(), ErrorCode::invalid_option) << "nothing to compare";
  job.configurations = {{.name = "all"}};
  job.page = folder / "none" / "page.html";
  EXPECT_EQ(refused(), ErrorCode::file_error) << "a page that cannot be written";
}

}  // namespace
}  // namespace octavo
