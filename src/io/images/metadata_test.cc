// Metadata that are written are read back. tests/pipeline/test_mosaic_metadata.py reads them with other programs.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "io/files/read_bytes.h"
#include "io/images/colour_profile.h"
#include "io/images/test_images.h"
#include "io/images/tiled_tiff.h"
#include "octavo/error.h"
#include "octavo/io/camera_facts.h"
#include "octavo/io/image_files.h"
#include "octavo/io/image_formats.h"

namespace octavo {
namespace {

using namespace io::test;
using namespace std::string_literals;

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// The header of a profile for a screen, without tags, and bytes behind it that no tag names.
std::vector<std::byte> profile(std::size_t size, std::string_view colours = "RGB ") {
  std::string text(size, '\0');
  for (std::size_t i = 0; i < 4; ++i) text[i] = static_cast<char>(size >> 8 * (3 - i) & 255);
  text.replace(8, 4, "\x02\x10\0\0"s).replace(12, 4, "mntr").replace(16, 4, colours).replace(20, 4, "XYZ ");
  text.replace(36, 4, "acsp").replace(68, 12, "\0\0\xF6\xD6\0\1\0\0\0\0\xD3\x2D"s);
  for (std::size_t i = 132; i < size; ++i) text[i] = static_cast<char>(i * i / 7);
  return bytes_of(text);
}

using Metadata = FolderTest;

TEST_F(Metadata, AreReadBack) {
  const Image image = read_image(testdata("rgb8.png"));
  ImageMetadata metadata = read_metadata(testdata("exif_6.jpg"));
  ASSERT_FALSE(metadata.exif.empty());
  metadata.xmp = "<x/>";
  for (const std::size_t size : {1000, 200'000}) {  // the second is split in a JPEG
    metadata.icc = profile(size);
    for (const char* const name : {"a.jpg", "a.png", "a.tif"}) {
      SCOPED_TRACE(name);
      write_image(folder_ / name, image.view(), metadata);
      EXPECT_EQ(read_metadata(folder_ / name).icc, metadata.icc);
      EXPECT_EQ(read_metadata(folder_ / name).xmp, metadata.xmp);
      EXPECT_EQ(read_camera_facts(folder_ / name).orientation, 6);
    }
  }
  EXPECT_EQ(read_metadata(folder_ / "a.png").exif, metadata.exif);
  write_image(folder_ / "a.webp", image.view(), metadata);
  EXPECT_EQ(read_metadata(folder_ / "a.webp"), ImageMetadata());
}

TEST_F(Metadata, StandOnceInAPng) {
  ImageMetadata metadata = read_metadata(testdata("exif_6.jpg"));
  metadata.icc = profile(1000);
  metadata.xmp = "<x/>";
  write_image(folder_ / "a.png", read_image(testdata("rgb8.png")).view(), metadata);
  const std::string file = io::read_text(folder_ / "a.png");
  for (const char* const chunk : {"iCCP", "eXIf", "iTXt", "IDAT"}) {
    const std::size_t first = file.find(chunk);
    ASSERT_NE(first, std::string::npos) << chunk;
    EXPECT_EQ(file.find(chunk, first + 1), std::string::npos) << chunk;
  }
}

TEST_F(Metadata, OfATiffInTiles) {
  const Image image(600, 20, 3, PixelType::u8);
  TiledTiff tiff(folder_ / "a.tif", 600, 20, 3, PixelType::u8,
                 {.icc = profile(144), .exif = read_metadata(testdata("exif_6.tif")).exif});
  tiff.write(0, 0, image.view());
  tiff.finish();
  EXPECT_EQ(read_metadata(folder_ / "a.tif").icc, profile(144));
  const Photograph read = read_photograph(folder_ / "a.tif", {.apply_exif_rotation = false});
  EXPECT_EQ(read.camera.orientation, 6);
  EXPECT_EQ(read.image.width(), 600);
}

TEST_F(Metadata, OfAllFormats) {
  for (const char* const name : {"exif_6.jpg", "exif_6.png", "exif_6.webp", "exif_6.tif"}) {
    EXPECT_FALSE(read_metadata(testdata(name)).exif.empty()) << name;
  }
  for (const char* const name : {"rgb.bmp", "rgb.jpg", "rgb16.png", "cmyk.jpg", "rgb.gif"}) {
    EXPECT_EQ(read_metadata(testdata(name)), ImageMetadata()) << name;
  }
#if OCTAVO_HAS_LIBHEIF
  EXPECT_EQ(read_metadata(testdata("xmp.avif")).xmp, "<x GPano:ProjectionType=\"equirectangular\"/>");
  EXPECT_TRUE(read_metadata(testdata("rgb.avif")).xmp.empty());
#endif
  EXPECT_THROW(read_metadata(folder_ / "none.jpg"), Error);
  write_bytes(folder_ / "cut.png", "\x89PNG\r\n\x1A\n"s);
  EXPECT_THROW(read_metadata(folder_ / "cut.png"), Error);
}

TEST_F(Metadata, ProfilesOfOtherColoursAreNotThoseOfThePixels) {
  const Image image = read_image(testdata("rgb8.png"));
  for (const std::string_view colours : {"CMYK", "Lab "}) {
    write_image(folder_ / "a.jpg", image.view(), {.icc = profile(144, colours)});
    EXPECT_TRUE(read_metadata(folder_ / "a.jpg").icc.empty());
  }
  EXPECT_EQ(io::colours_of_profile(profile(144, "GRAY")), io::ProfileColours::grey);
  EXPECT_EQ(io::colours_of_profile(bytes_of("RGB ")), io::ProfileColours::other);
}

TEST_F(Metadata, TooLongForAJpeg) {
  const Image image = read_image(testdata("rgb8.png"));
  EXPECT_THROW(write_image(folder_ / "a.jpg", image.view(), {.exif = std::vector<std::byte>(70'000)}), Error);
  EXPECT_THROW(write_image(folder_ / "a.jpg", image.view(), {.xmp = std::string(70'000, ' ')}), Error);
  EXPECT_THROW(write_image(folder_ / "a.jpg", image.view(), {.icc = profile(std::size_t{1} << 24)}), Error);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.jpg"));
}

}  // namespace
}  // namespace octavo
