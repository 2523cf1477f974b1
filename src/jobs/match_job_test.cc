// Pairs of many images: what fails costs no other pair, and a job that is stopped keeps what is done.

#include "octavo/jobs/match_jobs.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "jobs/made_images.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "octavo/jobs/collection_jobs.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

class MatchImages : public testing::Test {
 protected:
  MatchImages() {
    for (int i = 0; i < 4; ++i) write_image(folder / "photos" / (std::to_string(i) + ".png"), made_image(7).view());
    job.pairs = find_image_pairs({.a = (folder / "photos").string()});
    job.output = folder / "matches.txt";
    job.device.name = "cpu";
    job.take = [this](const MatchedImages& pair) {
      EXPECT_EQ(pair.matches.size(), pair.features_a.size());  // the images are the same
      told.push_back(pair.a.name.string() + " " + pair.b.name.string());
      return true;
    };
  }

  MatchSummary run(const std::stop_token& stop = {}) {
    told.clear();
    failures.clear();
    JobContext context{.stop = stop};
    context.fail = [&](const std::string& sentence) { failures.push_back(sentence); };
    return match_images(job, context);
  }

  std::string list() {
    std::ifstream file(job.output);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  struct Photos : TestFolder {
    Photos() { fs::create_directory(path / "photos"); }
  } folder;
  MatchJob job;
  std::vector<std::string> told, failures;
};

TEST_F(MatchImages, AnImageThatFailsCostsOnlyItsPairs) {
  ASSERT_EQ(job.pairs.pairs.size(), 6u);
  fs::remove(folder / "photos" / "1.png");
  const MatchSummary summary = run();
  EXPECT_EQ(told, (std::vector<std::string>{"0.png 2.png", "0.png 3.png", "2.png 3.png"}));
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_NE(failures[0].find("1.png"), std::string::npos);
  EXPECT_TRUE(summary.is_finished && summary.is_written);
  EXPECT_EQ(summary.done, 6u);
  EXPECT_EQ(summary.pairs, 3u);
}

TEST_F(MatchImages, GivenFeaturesAreMatched) {
  job.features = [](const std::string& name) {
    if (name == "3.png") throw Error(ErrorCode::invalid_argument, "there are none of " + name);
    Features features;
    for (std::size_t i = 0; i < 9; ++i) {
      features.keypoints.push_back({.x = static_cast<float>(i), .y = 1});
      features.descriptors.resize(features.descriptors.size() + descriptor_length);
      features.descriptors[i * descriptor_length + i] = 200;
    }
    return features;
  };
  const MatchSummary done = run();
  EXPECT_EQ(done.pairs, 3u);
  EXPECT_EQ(done.matches, 27u);
  EXPECT_EQ(failures, std::vector<std::string>{"there are none of 3.png"});
}

TEST_F(MatchImages, AStoppedListIsTheBeginningOfAWholeOne) {
  run();
  const std::string whole = list();
  fs::remove(job.output);
  std::stop_source stop;
  const auto take = job.take;
  job.take = [&](const MatchedImages& pair) {
    if (told.size() == 1) stop.request_stop();
    return take(pair);
  };
  const MatchSummary summary = run(stop.get_token());
  EXPECT_FALSE(summary.is_finished);
  EXPECT_TRUE(summary.is_written);
  EXPECT_EQ(told.size(), 2u);
  EXPECT_TRUE(whole.starts_with(list()));
  EXPECT_LT(list().size(), whole.size());
}

TEST_F(MatchImages, NoListIsReplacedByAnEmptyOne) {
  run();
  const std::string whole = list();
  for (int i = 0; i < 4; ++i) fs::remove(folder / "photos" / (std::to_string(i) + ".png"));
  EXPECT_FALSE(run().is_written);
  EXPECT_EQ(failures.size(), 4u);
  EXPECT_EQ(list(), whole);
}

TEST_F(MatchImages, PairsAreThoseOfTheText) {
  const std::string photos = (folder / "photos").string();
  EXPECT_EQ(find_image_pairs({.a = photos, .pairs = "sequential:2"}).pairs, sequential_pairs(4, 2));
  EXPECT_EQ(find_image_pairs({.a = photos, .pairs = "retrieval:3"}, {}, {.name = "cpu"}).pairs, all_pairs(4));
  std::ofstream(folder / "pairs.txt") << "3.png 1.png\n0.png none.png\n";
  const ImagePairs listed = find_image_pairs({.a = photos, .pairs = (folder / "pairs.txt").string()});
  EXPECT_EQ(listed.pairs, (std::vector<ImagePair>{{3, 1}}));
  EXPECT_EQ(listed.problems.size(), 1u);
  EXPECT_TRUE(pair_options_of("pairs.txt").empty());
  EXPECT_TRUE(pair_options_of("all+pairs.txt").empty());
  EXPECT_EQ(find_image_pairs({.a = photos, .pairs = "sequential:1+retrieval:3"}, {}, {.name = "cpu"}).pairs,
            all_pairs(4));
  EXPECT_EQ(pair_options_of("sequential:1+retrieval:3").size(), 2u);
  for (const char* const text : {"sequential:", "retrieval:0", "retrieval:1000001", "sequential:-1", "sequential:1x",
                                 "sequential:1+retrieval:0"}) {
    EXPECT_THROW(pair_options_of(text), Error) << text;
  }
}

TEST_F(MatchImages, RefusesWhatDoesNotFitBeforeTheWork) {
  const auto code_of = [&](const auto& change) {
    MatchJob kept = job;
    change();
    std::optional<ErrorCode> code;
    try {
      run();
    } catch (const Error& error) {
      code = error.code();
    }
    EXPECT_TRUE(told.empty());
    job = kept;
    return code;
  };
  EXPECT_EQ(code_of([&] { job.output = folder / "matches.csv"; }), ErrorCode::invalid_option);
  EXPECT_EQ(code_of([&] { job.output = folder / "none" / "matches.txt"; }), ErrorCode::file_error);
  EXPECT_EQ(code_of([&] { job.match.ratio = 7; }), ErrorCode::invalid_option);
  fs::create_directory(folder / "empty");
  EXPECT_THROW(find_image_pairs({.a = (folder / "empty").string()}), Error);
}

}  // namespace
}  // namespace octavo
