// Something that moves before a camera that moves too, and a pattern that repeats.

#include "multiview/align/second_motion.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <opencv2/imgproc.hpp>
#include <string>

#include "engine/selftest/images.h"
#include "io/opencv/cv_mat.h"
#include "octavo/image.h"
#include "octavo/multiview/align.h"

namespace octavo {
namespace {

using Kind = AlignmentWarning::Kind;

// The number of matches that the warning tells; 0 without it.
int second_motion_of(const cv::Mat& a, const cv::Mat& b) {
  const Image image_a = io::to_image(a), image_b = io::to_image(b);
  Extractor extractor(SiftOptions{}, {.name = "cpu"});
  Matcher matcher({}, {.name = "cpu"});
  const Alignment found = align(extractor, matcher, image_a.view(), image_b.view());
  EXPECT_TRUE(found.homography.found) << found.homography.reason;
  for (const AlignmentWarning& one : found.warnings) {
    if (one.kind == Kind::second_motion) return std::stoi(one.sentence);
  }
  return 0;
}

cv::Mat seen(int seed, int width, int height) {
  return io::to_mat(images::blobs(width, height, PixelType::u8, 1, static_cast<std::uint64_t>(seed)).view()).clone();
}

// The camera moves by (30, 12), and what stands before it turns by a quarter, which no moving camera explains.
TEST(SecondMotion, OfWhatTurnsBeforeTheCamera) {
  const cv::Mat wall = seen(3, 660, 480), object = seen(9, 200, 200);
  cv::Mat a = wall(cv::Rect(0, 0, 600, 450)).clone(), b = wall(cv::Rect(30, 12, 600, 450)).clone(), turned;
  EXPECT_EQ(second_motion_of(a, b), 0);
  object.copyTo(a(cv::Rect(80, 120, 200, 200)));
  cv::rotate(object, turned, cv::ROTATE_90_CLOCKWISE);
  turned.copyTo(b(cv::Rect(330, 200, 200, 200)));
  EXPECT_GT(second_motion_of(a, b), 30);
}

// Equal windows match their neighbours, and where the wall puts them stand windows too.
TEST(SecondMotion, NotOfAPatternThatRepeats) {
  const cv::Mat window = seen(9, 75, 75);
  cv::Mat wall, shade, noisy;
  cv::repeat(window, 6, 9, wall);
  cv::resize(seen(4, 60, 40), shade, wall.size(), 0, 0, cv::INTER_CUBIC);
  cv::addWeighted(wall, 0.7, shade, 0.3, 0, noisy);
  EXPECT_EQ(second_motion_of(noisy(cv::Rect(0, 0, 600, 450)), noisy(cv::Rect(40, 0, 600, 450))), 0);
}

}  // namespace
}  // namespace octavo
