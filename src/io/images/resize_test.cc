// Sizes, the part that is kept, and the range of values.

#include "io/images/resize.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "io/images/test_images.h"
#include "octavo/error.h"
#include "octavo/image.h"

namespace octavo {
namespace {

using io::test::sample;

// From black on the left to white on the right, in steps of a pixel.
Image ramp(int width, int height) {
  Image image(width, height, 1, PixelType::u8);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) image.row(y)[x] = static_cast<std::byte>(255 * x / (width - 1));
  }
  return image;
}

TEST(ResizeAndCrop, KeepsAnImageThatHasTheSize) {
  const Image image = ramp(52, 31);
  const Image same = resize_and_crop(image.view(), {52, 31});
  for (int y = 0; y < 31; ++y) {
    for (int x = 0; x < 52; ++x) ASSERT_EQ(same.row(y)[x], image.row(y)[x]);
  }
}

TEST(ResizeAndCrop, CutsTheSameOnBothSides) {
  const Image image = ramp(256, 100);
  const Image cut = resize_and_crop(image.view(), {100, 100});
  EXPECT_EQ(cut.width(), 100);
  EXPECT_EQ(cut.height(), 100);
  EXPECT_EQ(sample(cut, 0, 50, 0), 78);
  EXPECT_EQ(sample(cut, 99, 50, 0), 177);
}

TEST(ResizeAndCrop, TakesMeansWhereItShrinks) {
  const Image half = resize_and_crop(ramp(256, 64).view(), {128, 32});
  for (int x = 0; x < 128; ++x) EXPECT_NEAR(sample(half, x, 7, 0), 2 * x + 0.5, 0.5) << x;
}

TEST(ResizeAndCrop, KeepsChannelsAndTypeAndTheRangeOfFloats) {
  Image image(4, 4, 3, PixelType::f32);
  for (int y = 0; y < 4; ++y) {
    for (int i = 0; i < 12; ++i) reinterpret_cast<float*>(image.row(y))[i] = i < 6 ? 0.0f : 1.0f;
  }
  const Image large = resize_and_crop(image.view(), {64, 32});
  ASSERT_EQ(large.channels(), 3);
  ASSERT_EQ(large.type(), PixelType::f32);
  double least = 1, most = 0;
  for (int x = 0; x < 64; ++x) {
    least = std::min(least, sample(large, x, 16, 1));
    most = std::max(most, sample(large, x, 16, 1));
  }
  EXPECT_EQ(least, 0);
  EXPECT_EQ(most, 1);
}

TEST(ResizeAndCrop, RefusesSizesAndImagesOutOfRange) {
  const Image image = ramp(32, 32), line = ramp(40000, 1);
  for (const ImageSize size : {ImageSize{0, 5}, {5, 0}, {-1, 5}, {65536, 5}}) {
    EXPECT_THROW(resize_and_crop(image.view(), size), Error);
  }
  EXPECT_THROW(resize_and_crop(ImageView{}, {5, 5}), Error);
  EXPECT_THROW(resize_and_crop(line.view(), {1, 65535}), Error);
}

}  // namespace
}  // namespace octavo
