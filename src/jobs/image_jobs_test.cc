// Jobs over images one by one: what fails costs no other image, and what cannot work is refused before it.

#include <gtest/gtest.h>

#include <fstream>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "jobs/made_images.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/io/feature_files.h"
#include "octavo/io/image_files.h"
#include "octavo/jobs/image_jobs.h"
#include "octavo/jobs/match_jobs.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

class ImageJobs : public testing::Test {
 protected:
  ImageJobs() {
    for (const char* const name : {"a.png", "b.png"}) write_image(folder / name, made_image(7).view());
    features = Extractor(SiftOptions(), {.name = "cpu"}).extract(made_image(7).view());
    write_npz_features(folder / "a.npz", features);
    context.fail = [this](const std::string& sentence) { failures.push_back(sentence); };
    context.warn = [this](const std::string& sentence) { warnings.push_back(sentence); };
  }

  [[nodiscard]] std::vector<std::byte> bytes_of_image() const { return encode_image("a.png", made_image(7).view()); }

  TestFolder folder;
  std::stop_source stop;
  Features features;
  JobContext context;
  std::vector<std::string> failures, warnings;
};

TEST_F(ImageJobs, DescribesTheKeypointsOfEachImage) {
  std::vector<std::size_t> told;
  DescribeJob job{.items = {{folder / "a.png", folder / "a.npz", folder / "1.npz"},
                            {folder / "none.png", folder / "a.npz"},
                            {"-", folder / "a.npz"}}};
  job.device.name = "cpu";
  job.standard_input = [this] { return bytes_of_image(); };
  job.take = [&](const DescribedImage& done) {
    told.push_back(done.description.features.size());
    EXPECT_EQ(done.keypoints, features.size());
    return true;
  };
  const DescribeSummary summary = describe_keypoints(job, context);
  EXPECT_TRUE(summary.is_finished);
  EXPECT_EQ(summary.done, 3u);
  EXPECT_EQ(told, (std::vector<std::size_t>{features.size(), features.size()}));
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_NE(failures[0].find("none.png"), std::string::npos);
  EXPECT_EQ(read_npz_features(folder / "1.npz").descriptors, features.descriptors);
}

TEST_F(ImageJobs, TellsWhichKeypointsAreLeftOut) {
  std::ofstream(folder / "far.json") << R"({"keypoints": [{"x": 900, "y": 9, "scale": 3}]})";
  DescribeJob job{.items = {{folder / "a.png", folder / "far.json"}}};
  job.device.name = "cpu";
  describe_keypoints(job, context);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("keypoint 0 lies outside the image"), std::string::npos) << warnings[0];
  job.items[0].output = folder / "a.png";
  EXPECT_THROW(describe_keypoints(job, context), Error);
}

TEST_F(ImageJobs, FiltersEachImageUntilItIsStopped) {
  FilterJob job{
      .items = {{folder / "none.png", folder / "0.png"}, {folder / "a.png", folder / "1.png"}, {folder / "b.png"}}};
  job.device.name = "cpu";
  job.take = [&](const FilteredImage& done) {
    EXPECT_EQ(done.item.file, folder / "a.png");
    stop.request_stop();
    return true;
  };
  context.stop = stop.get_token();
  const FilterSummary summary = filter_images(job, context);
  EXPECT_FALSE(summary.is_finished);
  EXPECT_EQ(summary.done, 2u);
  EXPECT_EQ(failures.size(), 1u);
  EXPECT_EQ(read_image(folder / "1.png").width(), 96);
  EXPECT_FALSE(fs::exists(folder / "0.png"));
  job.items = {{folder / "a.png", folder / "a.png"}};
  EXPECT_THROW(filter_images(job, context), Error);
}

TEST_F(ImageJobs, MatchesAnImageWithStoredFeatures) {
  MatchTwoJob job{.a = {folder / "a.npz"}, .b = {folder / "b.png"}, .verification = {.by = Verify::homography}};
  job.device.name = "cpu";
  const MatchedTwo found = match_two(job, context);
  EXPECT_EQ(found.matches.size(), features.size());
  ASSERT_TRUE(found.model && found.model->found);
  EXPECT_NEAR(found.model->b_from_a[0] / found.model->b_from_a[8], 1, 1e-6);
  int width = 0;
  job.draw = [&](const ImageView& both) { width = both.width; };  // the image of A is not known
  EXPECT_THROW(match_two(job, context), Error);
  job.a.image = "-";
  job.standard_input = [this] { return bytes_of_image(); };
  match_two(job, context);
  EXPECT_GE(width, 2 * 96);
}

}  // namespace
}  // namespace octavo
