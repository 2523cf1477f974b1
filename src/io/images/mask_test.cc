// A pixel counts where any of its colours is not black, whatever the depth and the channels of the image.

#include "io/images/mask.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "io/images/test_images.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

// The mask of an image of one row, as a digit for each pixel.
template <class Sample>
std::string mask_of_row(const std::vector<Sample>& samples, int channels, PixelType type) {
  const int width = static_cast<int>(samples.size()) / channels;
  std::vector<std::byte> unaligned(samples.size() * sizeof(Sample) + 1);
  std::memcpy(unaligned.data() + 1, samples.data(), samples.size() * sizeof(Sample));
  const Image mask = mask_of({.data = unaligned.data() + 1,
                              .width = width,
                              .height = 1,
                              .channels = channels,
                              .type = type,
                              .stride = static_cast<std::ptrdiff_t>(samples.size() * sizeof(Sample))});
  EXPECT_EQ(mask.channels(), 1);
  EXPECT_EQ(mask.type(), PixelType::u8);
  EXPECT_EQ(mask.width(), width);
  std::string digits;
  for (int x = 0; x < width; ++x) {
    EXPECT_TRUE(mask.row(0)[x] == std::byte{0} || mask.row(0)[x] == std::byte{255});
    digits += mask.row(0)[x] == std::byte{0} ? '0' : '1';
  }
  return digits;
}

TEST(Mask, KeepsWhatIsNotBlack) {
  EXPECT_EQ(mask_of_row<std::uint8_t>({0, 1, 255, 0}, 1, PixelType::u8), "0110");
  EXPECT_EQ(mask_of_row<std::uint16_t>({0, 1, 256, 0}, 1, PixelType::u16), "0110");
  EXPECT_EQ(mask_of_row<float>({0, 1e-30f, 1, 0}, 1, PixelType::f32), "0110");
  EXPECT_EQ(mask_of_row<std::uint8_t>({0, 0, 0, 0, 0, 1, 1, 0, 0}, 3, PixelType::u8), "011");
}

TEST(Mask, LeavesAlphaOut) {
  EXPECT_EQ(mask_of_row<std::uint8_t>({0, 255, 7, 0}, 2, PixelType::u8), "01");
  EXPECT_EQ(mask_of_row<std::uint16_t>({0, 0, 0, 9, 0, 3, 0, 0}, 4, PixelType::u16), "01");
}

TEST(Mask, RefusesWhatIsNoImage) { EXPECT_THROW(mask_of(ImageView{}), Error); }

}  // namespace
}  // namespace octavo
