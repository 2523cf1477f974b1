// One body for every device: the reference gives what theory says, and all others give its bytes.

#include <gtest/gtest.h>

#include "engine/selftest/images.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/peaks.h"
#include "tests/conformance/contenders.h"

namespace octavo {
namespace {

Features by_reference(const ImageView& image, const PeaksOptions& options = {}, const ImageView* mask = nullptr) {
  return Peaks(options, {.name = "reference"}).extract(image, mask);
}

Image dots() {
  Image image(9, 7, 1, PixelType::u8);
  for (int y = 0; y < 7; ++y) std::fill_n(image.row(y), 9, std::byte{51});
  image.row(3)[4] = std::byte{153};
  image.row(0)[8] = std::byte{255};  // at the edge: none
  return image;
}

TEST(Peaks, OfTheReferenceAreWhereTheyAre) {
  const Features peaks = by_reference(dots().view());
  ASSERT_EQ(peaks.size(), 1u);
  EXPECT_EQ(peaks.keypoints[0].x, 4);
  EXPECT_EQ(peaks.keypoints[0].y, 3);
  EXPECT_NEAR(peaks.keypoints[0].response, 0.4, 1e-6);
  EXPECT_EQ(by_reference(dots().view(), {.peak_threshold = 0.5}).size(), 0u);
}

TEST(Peaks, AreTheSameOnEveryDevice) {
  for (const Contender& c : contenders({1, 2})) {
    Peaks peaks({.peak_threshold = 0.01}, c.device);
    for (const int width : {1, 2, 3, 7, 15, 16, 17, 31, 33, 257}) {
      const Image image = images::noise(width, 40);
      EXPECT_EQ(peaks.extract(image.view()), by_reference(image.view(), {.peak_threshold = 0.01}))
          << c.name << " " << width;
    }
    // Colour, 16 bits, and a list that must grow; the second time with room.
    for (const Image& image : {images::blobs(203, 150, PixelType::u16, 3), images::noise(640, 480)}) {
      const Features expected = by_reference(image.view(), {.peak_threshold = 0.01});
      for (int run = 0; run < 2; ++run) EXPECT_EQ(peaks.extract(image.view()), expected) << c.name;
    }
  }
}

TEST(Peaks, LieWithinTheMask) {
  const Image image = images::noise(60, 40);
  Image mask(60, 40, 1, PixelType::u8);
  for (int y = 0; y < 40; ++y) std::fill_n(mask.row(y), 60, y < 20 ? std::byte{0} : std::byte{255});
  const ImageView view = mask.view();
  const Features expected = by_reference(image.view(), {}, &view);
  ASSERT_GT(expected.size(), 0u);
  EXPECT_LT(expected.size(), by_reference(image.view()).size());
  for (const Contender& c : contenders({2})) EXPECT_EQ(Peaks({}, c.device).extract(image.view(), &view), expected);
}

TEST(Peaks, WrongOptionsAreNamed) {
  try {
    Peaks({.peak_threshold = 2});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "peak_threshold is 2, but must be between 0 and 1");
  }
}

}  // namespace
}  // namespace octavo
