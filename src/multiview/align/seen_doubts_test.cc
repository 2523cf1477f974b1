// What the rest of the images says of a homography: two scenes that share a poster or a caption, a camera that stands
// still, and a plane that fills its image.

#include "multiview/align/seen_doubts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <opencv2/imgproc.hpp>

#include "engine/selftest/images.h"
#include "io/opencv/cv_mat.h"
#include "octavo/image.h"
#include "octavo/multiview/align.h"

namespace octavo {
namespace {

using Kind = AlignmentWarning::Kind;

// Blobs and noise, of which the seed tells the places.
cv::Mat scene(std::uint64_t seed, cv::Size size = {600, 450}) {
  cv::Mat all(size, CV_8U);
  constexpr int tile = 150;
  for (int y = 0; y < size.height; y += tile) {
    for (int x = 0; x < size.width; x += tile) {
      const cv::Rect place = cv::Rect(x, y, tile, tile) & cv::Rect({0, 0}, size);
      const Image blobs = images::blobs(place.width, place.height, PixelType::u8, 1, seed++);
      io::to_mat(blobs.view()).copyTo(all(place));
    }
  }
  return all;
}

Alignment aligned(const cv::Mat& a, const cv::Mat& b) {
  const Image image_a = io::to_image(a), image_b = io::to_image(b);
  Extractor extractor(SiftOptions{}, {.name = "cpu"});
  Matcher matcher({}, {.name = "cpu"});
  return align(extractor, matcher, image_a.view(), image_b.view());
}

bool warns(const Alignment& found, Kind kind) {
  EXPECT_TRUE(found.homography.found) << found.homography.reason;
  return std::ranges::any_of(found.warnings, [&](const AlignmentWarning& one) { return one.kind == kind; });
}

TEST(SeenDoubts, APosterInTwoScenesIsLocal) {
  const cv::Mat poster = scene(900, {130, 130});
  cv::Mat a = scene(100), b = scene(200);
  poster.copyTo(a(cv::Rect(60, 40, 130, 130)));
  poster.copyTo(b(cv::Rect(160, 110, 130, 130)));
  const Alignment found = aligned(a, b);
  EXPECT_TRUE(warns(found, Kind::local));
  EXPECT_FALSE(warns(found, Kind::watermark));
}

// Two dialogs of one program: shared words stand all over what is different, which has few keypoints of its own.
TEST(SeenDoubts, SharedWordsAmongWhatDiffersAreLocal) {
  cv::Mat a = scene(100), b = scene(200);
  for (cv::Mat* const image : {&a, &b}) cv::GaussianBlur(*image, *image, {}, 4);
  for (int i = 0; i < 12; ++i) {
    const cv::Rect place(30 + i % 3 * 240, 30 + i / 3 * 115, 50, 34);
    scene(900 + static_cast<std::uint64_t>(i), place.size()).copyTo(a(place));
    a(place).copyTo(b(place));
  }
  EXPECT_TRUE(warns(aligned(a, b), Kind::local));
}

// The images then overlap in little more than the poster.
TEST(SeenDoubts, NorIsOneInTheirCornersHidden) {
  const cv::Mat poster = scene(900, {180, 180});
  cv::Mat a = scene(100), b = scene(200);
  poster.copyTo(a(cv::Rect(50, 30, 180, 180)));
  poster.copyTo(b(cv::Rect(370, 240, 180, 180)));
  EXPECT_TRUE(warns(aligned(a, b), Kind::local));
}

TEST(SeenDoubts, AnOverlapOfCornersIsNotLocal) {
  const cv::Mat wall = scene(100, {920, 660});
  const Alignment found = aligned(wall(cv::Rect(320, 210, 600, 450)), wall(cv::Rect(0, 0, 600, 450)));
  EXPECT_TRUE(found.warnings.empty()) << found.warnings.front().sentence;
}

// Keypoints of the smooth scene are nearly all the poster's.
TEST(SeenDoubts, NorDoesASmoothSceneHideThatTheOtherDiffers) {
  const cv::Mat poster = scene(900, {150, 150});
  cv::Mat a(450, 600, CV_8U), b = scene(200);
  for (int y = 0; y < a.rows; ++y) a.row(y).setTo(80 + 0.2 * y);
  poster.copyTo(a(cv::Rect(60, 40, 150, 150)));
  poster.copyTo(b(cv::Rect(200, 160, 150, 150)));
  EXPECT_TRUE(warns(aligned(a, b), Kind::local));
  EXPECT_TRUE(warns(aligned(b, a), Kind::local));
}

TEST(SeenDoubts, APosterOnASmoothWallSeenTwiceIsNotLocal) {
  cv::Mat wall(450, 700, CV_8U);
  for (int y = 0; y < wall.rows; ++y) wall.row(y).setTo(80 + 0.2 * y);
  scene(900, {150, 150}).copyTo(wall(cv::Rect(260, 140, 150, 150)));
  EXPECT_FALSE(warns(aligned(wall(cv::Rect(0, 0, 600, 450)), wall(cv::Rect(100, 0, 600, 450))), Kind::local));
}

// A cell has hardly four keypoints.
TEST(SeenDoubts, FewKeypointsAllOverTheImageAreNotLocal) {
  const Image blobs = images::blobs(160, 120);
  cv::Mat image;
  cv::GaussianBlur(io::to_mat(blobs.view()), image, {}, 2.5);
  const Alignment found = aligned(image, image);
  ASSERT_LT(found.a.size(), 150u);
  ASSERT_TRUE(found.homography.found);
  EXPECT_TRUE(found.warnings.empty()) << found.warnings.front().sentence;
}

TEST(SeenDoubts, AnObjectThatFillsOneImageIsNot) {
  const cv::Mat object = scene(900, {160, 160});
  cv::Mat b = scene(200);
  object.copyTo(b(cv::Rect(380, 270, 160, 160)));
  EXPECT_FALSE(warns(aligned(object, b), Kind::local));
  EXPECT_FALSE(warns(aligned(b, object), Kind::local));
}

TEST(SeenDoubts, ACaptionUnderTwoScenesIsAWatermark) {
  cv::Mat a = scene(100), b = scene(200);
  for (cv::Mat* const image : {&a, &b}) {
    cv::rectangle(*image, cv::Rect(0, 400, 600, 50), 20, cv::FILLED);
    cv::putText(*image, "2026-11-29 CAMERA 4 - WALL", {10, 435}, cv::FONT_HERSHEY_SIMPLEX, 1.1, 230, 2, cv::LINE_AA);
  }
  const Alignment found = aligned(a, b);
  EXPECT_TRUE(warns(found, Kind::watermark));
  EXPECT_TRUE(warns(found, Kind::local));
}

TEST(SeenDoubts, ACameraThatStandsStillGivesNone) {
  cv::Mat a = scene(100), b;
  cv::rectangle(a, cv::Rect(0, 400, 600, 50), 20, cv::FILLED);
  cv::putText(a, "2026-11-29 CAMERA 4 - WALL", {10, 435}, cv::FONT_HERSHEY_SIMPLEX, 1.1, 230, 2, cv::LINE_AA);
  for (const double exposure : {0.4, 1.0, 1.5}) {
    a.convertTo(b, CV_8U, exposure);
    const Alignment found = aligned(a, b);
    EXPECT_TRUE(found.homography.found);
    EXPECT_TRUE(found.warnings.empty()) << found.warnings.front().sentence;
  }
}

// Something that hides more than half of the image moves.
TEST(SeenDoubts, NorWhereALargeObjectMoves) {
  cv::Mat a = scene(100), b = a.clone();
  const cv::Mat object = scene(900, {330, 450});
  object.copyTo(a(cv::Rect(130, 0, 330, 450)));
  cv::Mat turned;
  cv::rotate(object, turned, cv::ROTATE_180);
  turned.copyTo(b(cv::Rect(150, 0, 330, 450)));
  EXPECT_FALSE(warns(aligned(a, b), Kind::watermark));
}

}  // namespace
}  // namespace octavo
