// Images written in tiles are read back whole.

#include "io/images/tiled_tiff.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "engine/core/test_folder.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

Image pattern(int width, int height, int channels, PixelType type) {
  Image image(width, height, channels, type);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width * channels; ++x) {
      const int value = (x * 7 + y * 13) % 251;
      if (type == PixelType::u8) image.row(y)[x] = static_cast<std::byte>(value);
      if (type == PixelType::u16)
        reinterpret_cast<std::uint16_t*>(image.row(y))[x] = static_cast<std::uint16_t>(value * 200);
      if (type == PixelType::f32) reinterpret_cast<float*>(image.row(y))[x] = static_cast<float>(value) / 251;
    }
  }
  return image;
}

TEST(TiledTiff, HoldsWhatWasWritten) {
  const TestFolder folder;
  const auto file = folder / "a.tif";
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
    const Image image = pattern(1100, 600, 4, type);
    TiledTiff tiff(file, 1100, 600, 4, type);
    for (int x = 1024; x >= 0; x -= 1024) {  // in any order
      ImageView block = image.view();
      block.data = image.row(0) + static_cast<std::ptrdiff_t>(x) * 4 * static_cast<std::ptrdiff_t>(bytes_of(type));
      block.width = std::min(1024, 1100 - x);
      tiff.write(static_cast<std::uint64_t>(x), 0, block);
    }
    tiff.finish();
    const Image read = read_image(file);
    ASSERT_EQ(read.width(), 1100);
    ASSERT_EQ(read.channels(), 4);
    ASSERT_EQ(read.type(), type);
    for (int y = 0; y < 600; ++y) {
      ASSERT_EQ(std::memcmp(read.row(y), image.row(y), static_cast<std::size_t>(image.stride())), 0) << y;
    }
  }
}

TEST(TiledTiff, RefusesBlocksBesideItsTiles) {
  const TestFolder folder;
  const auto file = folder / "a.tif";
  TiledTiff tiff(file, 1100, 600, 3, PixelType::u8);
  const Image image = pattern(512, 512, 3, PixelType::u8);
  EXPECT_THROW(tiff.write(100, 0, image.view()), Error);
  EXPECT_THROW(tiff.write(1024, 0, image.view()), Error);
  EXPECT_THROW(tiff.write(0, 0, pattern(512, 512, 4, PixelType::u8).view()), Error);
  EXPECT_THROW(TiledTiff(file, 0, 1, 3, PixelType::u8), Error);
  EXPECT_FALSE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace octavo
