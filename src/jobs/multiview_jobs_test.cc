// Alignments, mosaics and inspections of files: what is written, what is left out, and what is refused before the work.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "engine/core/expect_error.h"
#include "engine/core/test_folder.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "octavo/jobs/image_jobs.h"
#include "octavo/jobs/mosaic_jobs.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

/// A part of a scene of squares, from column `left` on.
Image part_of_scene(int left, std::uint32_t seed = 3) {
  constexpr int width = 260, height = 160, shown = 180;
  std::mt19937 random(seed);
  std::vector<std::byte> scene(width * height, std::byte{90});
  for (int i = 0; i < 160; ++i) {
    const int side = 4 + static_cast<int>(random() % 14);
    const int x = static_cast<int>(random() % (width - 18)), y = static_cast<int>(random() % (height - 18));
    for (int row = y; row < y + side; ++row) {
      std::fill_n(scene.begin() + row * width + x, side, static_cast<std::byte>(random() % 256));
    }
  }
  Image image(shown, height, 1, PixelType::u8);
  for (int y = 0; y < height; ++y) std::copy_n(scene.begin() + y * width + left, shown, image.row(y));
  return image;
}

class MultiviewJobs : public testing::Test {
 protected:
  MultiviewJobs() {
    for (const int left : {0, 30, 80}) write_image(file(left), part_of_scene(left).view());
  }
  [[nodiscard]] fs::path file(int left) const { return folder / (std::to_string(left) + ".png"); }

  TestFolder folder;
};

TEST_F(MultiviewJobs, AnAlignmentWritesFourDrawings) {
  AlignJob job{.a = file(0), .b = file(30), .output = folder / "out.png"};
  job.device.name = "cpu";
  const AlignResult result = align_images(job);
  ASSERT_TRUE(result.alignment.homography.found) << result.alignment.homography.reason;
  EXPECT_NEAR(result.alignment.homography.b_from_a[2], -30, 0.5);
  ASSERT_EQ(result.files.size(), 4u);
  for (const fs::path& written : result.files) EXPECT_TRUE(fs::exists(written)) << written;
  EXPECT_NE(json_of(job, result).find("\"image_b\":\"" + job.b.string()), std::string::npos);

  AlignJob piped{.a = file(0), .b = file(30)};
  piped.device.name = "cpu";
  int width = 0;
  piped.take = [&](const ImageView& both) { width = both.width; };
  EXPECT_TRUE(align_images(piped).files.empty());
  EXPECT_NEAR(width, 210, 1);
}

TEST_F(MultiviewJobs, AnAlignmentDoesNotWriteOverItsImages) {
  fs::rename(file(80), folder / "out.matches.png");
  const AlignJob job{.a = file(0), .b = folder / "out.matches.png", .output = folder / "out.png"};
  expect_error(ErrorCode::invalid_option, "this file is read too", [&] { align_images(job); });
  EXPECT_FALSE(fs::exists(folder / "out.png"));
}

TEST_F(MultiviewJobs, AMosaicLeavesOutWhatCannotBeRead) {
  const fs::path bad = folder.write("bad.png", "no image");
  MosaicJob job{.images = {.images = {{file(0), "0.png"}, {bad, "bad.png"}, {file(30), "30.png"}},
                           .problems = {"nothing: the folder holds no images"}},
                .output = folder / "all.png",
                .graph = folder / "graph.png"};
  job.device.name = "cpu";
  std::vector<std::string> failures;
  const MosaicResult result = make_mosaic(job, {.fail = [&](const std::string& one) { failures.push_back(one); }});
  ASSERT_TRUE(result.plan.found) << result.plan.reason;
  EXPECT_EQ(result.files, (std::vector<fs::path>{job.graph, job.output}));
  EXPECT_TRUE(fs::exists(job.output));
  ASSERT_EQ(result.problems.size(), 2u);
  EXPECT_EQ(result.problems, failures);
  EXPECT_NE(failures[1].find("bad.png"), std::string::npos) << failures[1];
  EXPECT_NE(json_of(result).find("\"reference\":\"" + folder.path.string()), std::string::npos) << json_of(result);
}

TEST_F(MultiviewJobs, AMosaicNeedsTwoImagesAndTwoOutputs) {
  MosaicJob job{.images = {.images = {{file(0), "0.png"}}, .problems = {}}};
  expect_error(ErrorCode::invalid_option, "only one is found", [&] { make_mosaic(job); });
  job.images.problems = {"gone: no file"};
  expect_error(ErrorCode::file_error, "only one is found", [&] { make_mosaic(job); });
  job.images.images.push_back({file(30), "30.png"});
  job.output = folder / "all.png";
  job.seams = folder / "." / "all.png";
  expect_error(ErrorCode::invalid_option, "two outputs are the same file", [&] { make_mosaic(job); });
}

TEST_F(MultiviewJobs, AnInspectionReadsTheStandardInput) {
  InspectJob job{.image = "-", .folder = folder / "look"};
  job.standard_input =
      StandardInput{.image = [&] { return encode_image("a.png", part_of_scene(0).view()); }, .video = {}};
  job.device.name = "cpu";
  const InspectResult result = inspect_image(job);
  EXPECT_EQ(result.size.width, 180);
  EXPECT_NE(result.files.json.find("\"image\":\"stdin\""), std::string::npos);
  EXPECT_TRUE(fs::exists(job.folder / "index.html"));
}

TEST_F(MultiviewJobs, AnInspectionRefusesWhatDoesNotFitTheImage) {
  InspectJob job{.image = file(0), .folder = folder / "look"};
  job.device.name = "cpu";
  job.files.point = Point{180, 3};
  expect_error(ErrorCode::invalid_option, "must lie in the image, which is 180x160 pixels",
               [&] { inspect_image(job); });
  job.files.point.reset();
  job.mask = folder / "mask.png";
  write_image(job.mask, Image(4, 4, 1, PixelType::u8).view());
  expect_error(ErrorCode::invalid_argument, "is 4x4 pixels, but", [&] { inspect_image(job); });
  EXPECT_FALSE(fs::exists(job.folder / "index.html"));
}

}  // namespace
}  // namespace octavo
