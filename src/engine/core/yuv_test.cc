// Planes of luma as images: the plane itself, or stretched from the limited range.

#include "octavo/image_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "octavo/error.h"
#include "octavo/image.h"

namespace octavo {
namespace {

TEST(ImageOfLuma, OfTheFullRangeIsThePlane) {
  // NV12 of 4×2 pixels in rows of 6 bytes: two rows of luma, one of chroma.
  const std::array<std::uint8_t, 18> nv12{0, 1, 2, 3, 99, 99, 4, 5, 6, 255, 99, 99, 128, 128, 128, 128, 99, 99};
  Image room;
  const ImageView image = image_of({nv12.data(), 4, 2, 6, PixelType::u8, LumaRange::full}, room);
  EXPECT_EQ(image.data, nv12.data());
  EXPECT_EQ(image.stride, 6);
  EXPECT_EQ(image.channels, 1);
  EXPECT_TRUE(room.empty());
}

TEST(ImageOfLuma, OfTheLimitedRangeIsStretched) {
  std::array<std::uint8_t, 256> samples{};
  for (int i = 0; i < 256; ++i) samples[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i);
  Image room;
  const ImageView image = image_of({samples.data(), 16, 16, 16}, room);
  const void* const memory = room.row(0);
  for (int i = 0; i < 256; ++i) {
    const int expected = static_cast<int>(std::floor((std::clamp(i, 16, 235) - 16) * 255.0 / 219 + 0.5));
    EXPECT_EQ(static_cast<int>(image.row(i / 16)[i % 16]), expected) << i;
  }
  EXPECT_EQ(image_of({samples.data(), 16, 16, 16}, room).data, memory) << "the room is used again";

  const std::array<std::uint16_t, 4> p010{64 << 6, 502 << 6, 940 << 6, 1023 << 6};
  const ImageView deep = image_of({p010.data(), 4, 1, 8, PixelType::u16}, room);
  const auto* const row = reinterpret_cast<const std::uint16_t*>(deep.row(0));
  EXPECT_EQ(row[0], 0);
  EXPECT_EQ(row[1], 32768);
  EXPECT_EQ(row[2], 65535);
  EXPECT_EQ(row[3], 65535);
}

TEST(ImageOfLuma, RefusesWhatIsNoLuma) {
  const std::array<float, 4> floats{};
  Image room;
  EXPECT_THROW(image_of({floats.data(), 2, 2, 8, PixelType::f32}, room), Error);
  EXPECT_THROW(image_of({nullptr, 2, 2, 2}, room), Error);
  EXPECT_THROW(image_of({floats.data(), 4, 2, 3}, room), Error);
}

}  // namespace
}  // namespace octavo
