// Every kind of image that other programs write, compared with its known content.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "io/images/test_images.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

using namespace io::test;
using namespace std::string_literals;
using namespace std::string_view_literals;

struct TestImage {
  std::string name;
  int channels;
  PixelType type;
  double tolerance = 0;  ///< of 255: the greatest change by a lossy format, or by ink
  int tiles = 1;         ///< number of repetitions of the gradient along each side
};

void PrintTo(const TestImage& image, std::ostream* out) { *out << image.name; }

class Decode : public testing::TestWithParam<TestImage> {};

TEST_P(Decode, ShowsTheGradient) {
  const TestImage& want = GetParam();
  if (const std::string missing = missing_library(want.name); !missing.empty()) {
    GTEST_SKIP() << "lacks " << missing << ": Octavo was built without it";
  }
  const Image image = read_image(testdata(want.name));
  ASSERT_EQ(image.width(), width * want.tiles);
  ASSERT_EQ(image.height(), height * want.tiles);
  ASSERT_EQ(image.channels(), want.channels);
  ASSERT_EQ(image.type(), want.type);
  const double full = want.type == PixelType::u8 ? 255 : want.type == PixelType::u16 ? 65535 : 1;
  // The greatest change by rounding to a float, which has 24 bits.
  const double tolerance = want.type == PixelType::f32 ? std::max(1e-4, want.tolerance) : want.tolerance;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      const int u = x % width, v = y % height;
      const int expected[4] = {red(u), want.channels == 2 ? alpha(v) : green(v), blue(u, v), alpha(v)};
      for (int c = 0; c < want.channels; ++c) {
        EXPECT_NEAR(sample(image, x, y, c) / full * 255, expected[c], tolerance) << x << " " << y << " channel " << c;
      }
    }
  }
}

constexpr auto u8 = PixelType::u8;
constexpr auto u16 = PixelType::u16;
constexpr auto f32 = PixelType::f32;

std::string name_of(const testing::TestParamInfo<TestImage>& image) {
  std::string name = image.param.name;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(
    Images, Decode,
    testing::Values(
        TestImage{"grey.jpg", 1, u8, 2}, TestImage{"rgb.jpg", 3, u8, 4}, TestImage{"progressive.jpg", 3, u8, 4},
        TestImage{"cmyk.jpg", 3, u8, 3}, TestImage{"ycck.jpg", 3, u8, 11}, TestImage{"exif_1.jpg", 3, u8, 5},
        TestImage{"exif_2.jpg", 3, u8, 5}, TestImage{"exif_3.jpg", 3, u8, 5}, TestImage{"exif_4.jpg", 3, u8, 5},
        TestImage{"exif_5.jpg", 3, u8, 5}, TestImage{"exif_6.jpg", 3, u8, 5}, TestImage{"exif_7.jpg", 3, u8, 5},
        TestImage{"exif_8.jpg", 3, u8, 5}, TestImage{"exif_6.png", 3, u8}, TestImage{"exif_6.webp", 3, u8},
        TestImage{"exif_6.tif", 3, u8}, TestImage{"grey8.png", 1, u8}, TestImage{"grey16.png", 1, u16},
        TestImage{"grey_alpha8.png", 2, u8}, TestImage{"rgb8.png", 3, u8}, TestImage{"rgb16.png", 3, u16},
        TestImage{"rgba8.png", 4, u8}, TestImage{"rgba16.png", 4, u16}, TestImage{"palette.png", 3, u8},
        TestImage{"grey8.tif", 1, u8}, TestImage{"white_is_zero.tif", 1, u8}, TestImage{"grey16.tif", 1, u16},
        TestImage{"rgb8.tif", 3, u8}, TestImage{"rgb16_planar.tif", 3, u16}, TestImage{"rgb16_big_endian.tif", 3, u16},
        TestImage{"rgb8_tiled.tif", 3, u8, 0, 3}, TestImage{"rgb8_tiled_planar.tif", 3, u8, 0, 3},
        TestImage{"rgba8.tif", 4, u8}, TestImage{"float.tif", 1, f32}, TestImage{"float_rgb.tif", 3, f32},
        TestImage{"double.tif", 1, f32}, TestImage{"jpeg_ycbcr.tif", 3, u8, 8, 2}, TestImage{"cmyk.tif", 3, u8},
        TestImage{"rgb.webp", 3, u8}, TestImage{"rgba.webp", 4, u8}, TestImage{"animated.webp", 3, u8, 12},
        TestImage{"half.tif", 1, f32, 0.07}, TestImage{"rgb.bmp", 3, u8}, TestImage{"grey.bmp", 1, u8},
        TestImage{"palette.bmp", 3, u8}),
    name_of);

INSTANTIATE_TEST_SUITE_P(ImagesOfOptionalLibraries, Decode,
                         testing::Values(TestImage{"rgb.gif", 3, u8}, TestImage{"interlaced.gif", 3, u8, 0, 2},
                                         TestImage{"animated.gif", 3, u8}, TestImage{"animated.avif", 3, u8, 40},
                                         TestImage{"rgb.heic", 3, u8, 2}, TestImage{"rgba.heic", 4, u8, 2},
                                         TestImage{"rgb10.heic", 3, u16, 2}, TestImage{"rgb.avif", 3, u8, 4},
                                         TestImage{"rgba.avif", 4, u8, 4}, TestImage{"exif_6.avif", 3, u8, 4},
                                         TestImage{"rgb.jp2", 3, u8}, TestImage{"rgb.j2k", 3, u8},
                                         TestImage{"rgba.jp2", 4, u8}, TestImage{"grey_alpha.jp2", 2, u8},
                                         TestImage{"grey16.jp2", 1, u16}),
                         name_of);

// libheif decodes a grid that has itself as a tile without an end, until the stack overflows.
TEST(ReadTestImages, AHeicImageOfItselfIsRefused) {
  for (const auto* name : {"rgb.heic", "rgb10.heic"}) {
    if (const std::string lacks = missing_library(name); !lacks.empty()) GTEST_SKIP() << "lacks " << lacks;
    std::vector<std::byte> bytes = bytes_of_file(testdata(name));
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::size_t reference = text.find("dimg");
    ASSERT_NE(reference, std::string_view::npos);
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(reference) + 4, 2,
                bytes.begin() + static_cast<std::ptrdiff_t>(reference) + 8);  // to = from
    try {
      decode_image(bytes, name);
      ADD_FAILURE() << name << " is read";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("an image is made from itself"), std::string::npos) << error.what();
    }
  }
}

TEST(ReadTestImages, OneBitImagesAreBlackAndWhite) {
  for (const auto* name : {"grey1.png", "grey1.tif", "grey1.bmp"}) {
    const Image image = read_image(testdata(name));
    ASSERT_EQ(image.channels(), 1) << name;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) EXPECT_EQ(sample(image, x, y, 0), red(x) > 100 ? 255 : 0) << name;
    }
  }
}

TEST(ReadTestImages, PalettesBecomeColours) {
  for (const auto* name : {"palette_alpha.png", "palette.tif"}) {
    const Image image = read_image(testdata(name));
    const bool is_png = image.channels() == 4;
    EXPECT_EQ(is_png, std::string(name) == "palette_alpha.png");
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        EXPECT_EQ(sample(image, x, y, 0), 20 * x) << name;
        EXPECT_EQ(sample(image, x, y, 1), 0) << name;
        EXPECT_EQ(sample(image, x, y, 2), 255 - 20 * x) << name;
        if (is_png) {
          EXPECT_EQ(sample(image, x, y, 3), 255 - 20 * x) << name;
        }
      }
    }
  }
}

TEST(ReadTestImages, LossyWebpIsClose) {
  const Image image = read_image(testdata("lossy.webp"));
  ASSERT_EQ(image.channels(), 3);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      EXPECT_NEAR(sample(image, x, y, 0), 200, 4);
      EXPECT_NEAR(sample(image, x, y, 1), 100, 4);
      EXPECT_NEAR(sample(image, x, y, 2), 50, 4);
    }
  }
}

TEST(ReadTestImages, FloatsOutsideTheUnitRangeAreMappedFromMinAndMax) {
  const Image image = read_image(testdata("float_wide.tif"));  // −30 … 510
  ASSERT_EQ(image.type(), PixelType::f32);
  for (int x = 0; x < width; ++x) EXPECT_NEAR(sample(image, x, 0, 0), x / 12.0, 1e-6);
}

TEST(ReadTestImages, ExifRotationCanBeLeftOut) {
  const Image image = read_image(testdata("exif_6.png"), {.apply_exif_rotation = false});
  ASSERT_EQ(image.width(), height);
  ASSERT_EQ(image.height(), width);
  // Orientation 6: row 0 as stored is the right-hand side, column 0 the top.
  EXPECT_EQ(sample(image, 0, 0, 0), red(width - 1));
  EXPECT_EQ(sample(image, 0, 0, 1), green(0));
}

Image decode_text(std::string_view text) { return decode_image(std::as_bytes(std::span(text)), "test"); }

TEST(ReadTestImages, PgmAndPpmInTextAndBytes) {
  for (const auto text :
       {"P2\n# a comment\n3 2 # another\n255\n0 1 2\n3 4 255\n"sv, "P5 3 2 255\n\x00\x01\x02\x03\x04\xFF"sv}) {
    const Image image = decode_text(text);
    ASSERT_EQ(image.width(), 3);
    ASSERT_EQ(image.height(), 2);
    ASSERT_EQ(image.channels(), 1);
    ASSERT_EQ(image.type(), PixelType::u8);
    EXPECT_EQ(sample(image, 1, 0, 0), 1);
    EXPECT_EQ(sample(image, 2, 1, 0), 255);
  }
  for (const auto text : {"P3 1 1 255 7 8 9"sv, "P6 1 1 255\n\x07\x08\x09"sv}) {
    const Image image = decode_text(text);
    ASSERT_EQ(image.channels(), 3);
    EXPECT_EQ(sample(image, 0, 0, 0), 7);
    EXPECT_EQ(sample(image, 0, 0, 2), 9);
  }
}

/// A Windows bitmap of 8 × 2 pixels: the header with these bits and this compression, then `rest`.
std::string bmp(char bits, char compression, const std::string& palette, const std::string& rest, char height = 2) {
  std::string header = "BM"s + std::string(8, '\0') + static_cast<char>(54 + palette.size()) + "\0\0\0"s;
  header +=
      "\x28\0\0\0"s + "\x08\0\0\0"s + height + std::string(3, height < 0 ? '\xFF' : '\0') + "\x01\0"s + bits + '\0';
  header += compression + std::string(15, '\0') + "\x02\0\0\0\0\0\0\0"s;
  return header + palette + rest;
}

TEST(ReadTestImages, BmpRuns) {
  const std::string palette = "\x01\x02\x03\0\x04\x05\x06\0"s;  // blue, green, red
  // The lower row: three of the colour 1, a step of two, three as they are. The upper row: eight of the colour 1.
  const auto runs = "\x03\x01\0\x02\x02\0\0\x03\x01\0\x01\0\0\0\x08\x01\0\x01"s;
  const Image image = decode_text(bmp(8, 1, palette, runs));
  ASSERT_EQ(image.channels(), 3);
  const int wanted[] = {6, 6, 6, 3, 3, 6, 3, 6};
  for (int x = 0; x < 8; ++x) {
    EXPECT_EQ(sample(image, x, 1, 0), wanted[x]);
    EXPECT_EQ(sample(image, x, 0, 0), 6);
    EXPECT_EQ(sample(image, x, 0, 2), 4);
  }
  // With four bits the two colours of a run take turns.
  const Image four = decode_text(bmp(4, 2, palette, "\x08\x01\0\0\0\x05\x10\x11\x10\0\x03\x11\0\x01"s));
  const int upper[] = {6, 3, 6, 6, 6, 6, 6, 6};
  for (int x = 0; x < 8; ++x) {
    EXPECT_EQ(sample(four, x, 1, 0), x % 2 == 0 ? 3 : 6);
    EXPECT_EQ(sample(four, x, 0, 0), upper[x]);
  }
}

TEST(ReadTestImages, BmpColoursInAnyBits) {
  // 5 bits of red, 6 of green, 5 of blue, from the top.
  const std::string masks = "\0\xF8\0\0\xE0\x07\0\0\x1F\0\0\0"s;
  std::string pixels(32, '\0');
  pixels[1] = '\xF8';  // x = 0: red
  pixels[2] = '\xFF';  // x = 1: blue, and the lower half of green
  const Image image = decode_text(bmp(16, 3, masks, pixels, -2));
  ASSERT_EQ(image.channels(), 3);
  EXPECT_EQ(sample(image, 0, 0, 0), 255);
  EXPECT_EQ(sample(image, 0, 0, 1), 0);
  EXPECT_EQ(sample(image, 1, 0, 1), 7 * 255 / 63);
  EXPECT_EQ(sample(image, 1, 0, 2), 255);
  EXPECT_EQ(sample(image, 0, 1, 0), 0);
}

TEST(ReadTestImages, PnmSamplesAreScaledToTheFullRange) {
  EXPECT_EQ(sample(decode_text("P2 1 1 15 5"), 0, 0, 0), 85);
  const Image ten_bits = decode_text("P5 2 1 1023\n\x03\xFF\x02\x00"sv);
  ASSERT_EQ(ten_bits.type(), PixelType::u16);
  EXPECT_EQ(sample(ten_bits, 0, 0, 0), 65535);
}

}  // namespace
}  // namespace octavo
