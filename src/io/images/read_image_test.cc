// Files that are not images, or are damaged: each gives an error of one sentence that names the file and the reason,
// and nothing is printed.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <tuple>

#include "engine/core/bound_by_permissions.h"
#include "io/images/mask.h"
#include "io/images/test_images.h"
#include "io/images/tiff_file.h"
#include "octavo/error.h"
#include "octavo/io/feature_files.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

using namespace io::test;
using namespace std::string_literals;
using namespace std::string_view_literals;
namespace fs = std::filesystem;

/// The sentence of the error. Also checks its code, that it names the file, and that stderr stays empty.
std::string complaint(const fs::path& file) {
  testing::internal::CaptureStderr();
  std::string sentence;
  try {
    read_image(file);
    ADD_FAILURE() << file << " was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::file_error);
    sentence = error.what();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_NE(sentence.find(file.string()), std::string::npos) << sentence;
  return sentence;
}

std::string complaint_of_bytes(std::span<const std::byte> bytes, const ReadOptions& options = {}) {
  testing::internal::CaptureStderr();
  std::string sentence;
  try {
    decode_image(bytes, "a name", options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::file_error);
    sentence = error.what();
    EXPECT_NE(sentence.find("'a name'"), std::string::npos) << sentence;
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  return sentence;
}

std::string complaint_of_text(std::string_view text) { return complaint_of_bytes(std::as_bytes(std::span(text))); }

Image decoded(std::string_view text) { return decode_image(std::as_bytes(std::span(text)), "a name"); }

testing::AssertionResult says(const std::string& sentence, std::string_view part) {
  if (sentence.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << sentence << "' does not say '" << part << "'";
}

using ReadImage = FolderTest;

TEST_F(ReadImage, Missing) { EXPECT_TRUE(says(complaint(folder_ / "none.png"), "no such file")); }

TEST_F(ReadImage, Directory) { EXPECT_TRUE(says(complaint(folder_.path), "it is a directory")); }

TEST_F(ReadImage, Device) { EXPECT_TRUE(says(complaint("/dev/null"), "it is a device")); }

TEST_F(ReadImage, BeyondMemory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer ends a program that asks for so much memory";
#endif
  const int huge = memfd_create("huge", 0);
  ASSERT_EQ(ftruncate(huge, off_t{1} << 60), 0);  // no byte of it is stored
  const fs::path file = "/proc/self/fd/" + std::to_string(huge);
  for (const bool features : {false, true}) {
    try {
      if (features) {
        read_npz_features(file);
      } else {
        read_image(file);
      }
      ADD_FAILURE() << "was read";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
      EXPECT_TRUE(says(error.what(), file.string() + "': not enough memory for its 1152921504606846976 bytes"));
    }
  }
  close(huge);
}

TEST_F(ReadImage, Empty) {
  write_bytes(folder_ / "empty.jpg", "");
  EXPECT_TRUE(says(complaint(folder_ / "empty.jpg"), "it is empty"));
}

TEST_F(ReadImage, TextNamedPng) {
  write_bytes(folder_ / "text.png", "This is no image.\n");
  EXPECT_TRUE(says(complaint(folder_ / "text.png"), "it is not a JPEG, PNG, TIFF, WebP"));
}

TEST_F(ReadImage, AVideoIsToldAsOne) {
  using namespace std::string_literals;
  for (const std::string& beginning : {"\0\0\0\x1C"
                                       "ftypisom\0\0\2\0"s,
                                       "\x1A\x45\xDF\xA3 matroska"s, "RIFF\4\3\2\1AVI LIST"s, "\0\0\1\xBA\x44\0\4"s}) {
    write_bytes(folder_ / "clip.png", beginning);
    EXPECT_TRUE(says(complaint(folder_ / "clip.png"), "it is a video or sound, not an image"));
  }
  write_bytes(folder_ / "a.png", "RIFF\4\3\2\1WAVEfmt ");
  EXPECT_TRUE(says(complaint(folder_ / "a.png"), "it is not a JPEG, PNG, TIFF, WebP"));
}

TEST_F(ReadImage, NoPermission) {
  const fs::path file = folder_ / "secret.png";
  fs::copy_file(testdata("rgb8.png"), file);
  fs::permissions(file, fs::perms::none);
  const BoundByPermissions bound;
  EXPECT_TRUE(says(complaint(file), "ermission denied"));
}

TEST_F(ReadImage, TheContentDecidesAndNotTheName) {
  fs::copy_file(testdata("rgb8.png"), folder_ / "wrong.jpg");
  EXPECT_EQ(read_image(folder_ / "wrong.jpg").width(), width);
}

TEST(LooksLikeImage, TheEndingDecides) {
  for (const auto* name :
       {"a.jpg",  "b/c.JPEG", "a.b.png", "a.Tif", "a.tiff", "a.webp", "a.pgm",  "a.PPM", "a.pnm", "a.heic",
        "a.HEIF", "a.avif",   "a.jp2",   "a.j2k", "a.bmp",  "a.Gif",  "a.jfif", "a.JPE", "a.hif", "a.j2c"}) {
    EXPECT_TRUE(looks_like_image(name)) << name;
  }
  for (const auto* name : {"", "jpg", ".jpg", "a.jpg.txt", "a.jpg/b", "a.svg", "a."}) {
    EXPECT_FALSE(looks_like_image(name)) << name;
  }
}

TEST(Truncated, JpegAtAnyLength) {
  for (const auto* name : {"rgb.jpg", "grey.jpg", "progressive.jpg", "cmyk.jpg", "exif_5.jpg"}) {
    const auto bytes = bytes_of_file(testdata(name));
    ASSERT_FALSE(bytes.empty());
    for (std::size_t size = 3; size + 2 < bytes.size(); ++size) {
      EXPECT_TRUE(says(complaint_of_bytes(std::span(bytes).first(size)), "truncated")) << name << " " << size;
    }
  }
}

TEST(Truncated, AJpegThatLacksItsLastMarkerIsReadWithAWarning) {
  for (const auto* name : {"rgb.jpg", "grey.jpg", "progressive.jpg", "cmyk.jpg", "exif_5.jpg"}) {
    const auto bytes = bytes_of_file(testdata(name));
    std::string warning;
    const ReadOptions options{.warning = {[&](const std::string& sentence) { warning = sentence; }}};
    const Image whole = decode_image(bytes, name, options);
    EXPECT_EQ(warning, "") << name;
    for (const std::size_t size : {bytes.size() - 2, bytes.size() - 1}) {
      const Image image = decode_image(std::span(bytes).first(size), name, options);
      EXPECT_TRUE(says(warning, "'" + std::string(name) + "': it lacks its last marker (EOI)")) << name;
      for (int y = 0; y < whole.height(); ++y) {
        EXPECT_TRUE(std::equal(whole.row(y), whole.row(y) + whole.stride(), image.row(y))) << name << " " << y;
      }
      decode_image(std::span(bytes).first(size), name);  // without ReadOptions::warning
    }
  }
}

TEST(Truncated, PngAtAnyLength) {
  for (const auto* name : {"rgb8.png", "rgb16.png", "palette.png", "exif_6.png"}) {
    const auto bytes = bytes_of_file(testdata(name));
    ASSERT_FALSE(bytes.empty());
    for (std::size_t size = 8; size < bytes.size(); ++size) {
      EXPECT_TRUE(says(complaint_of_bytes(std::span(bytes).first(size)), "truncated")) << name << " " << size;
    }
  }
}

TEST(Truncated, OtherFormats) {
  for (const auto* name : {"rgb.webp", "rgba.webp", "lossy.webp", "exif_6.webp"}) {
    const auto bytes = bytes_of_file(testdata(name));
    ASSERT_FALSE(bytes.empty());
    for (std::size_t size = 12; size < bytes.size(); ++size) {
      EXPECT_TRUE(says(complaint_of_bytes(std::span(bytes).first(size)), "truncated")) << name << " " << size;
    }
  }
  // The pixels of these formats come last in the file.
  for (const auto* name : {"grey8.tif", "rgb16_planar.tif", "rgb8_tiled.tif", "float.tif", "rgb8.tif", "grey16.tif"}) {
    const auto bytes = bytes_of_file(testdata(name));
    ASSERT_FALSE(bytes.empty());
    for (std::size_t size = 8; size + 1 < bytes.size(); size += 7) {
      EXPECT_TRUE(says(complaint_of_bytes(std::span(bytes).first(size)), "truncated")) << name << " " << size;
    }
  }
  for (const auto* name :
       {"rgb.bmp", "grey.bmp", "grey1.bmp", "palette.bmp", "rgb.gif", "interlaced.gif", "animated.gif"}) {
    if (!missing_library(name).empty()) continue;
    const auto bytes = bytes_of_file(testdata(name));
    ASSERT_FALSE(bytes.empty());
    for (std::size_t size = 18; size + 3 < bytes.size(); ++size) {
      EXPECT_TRUE(says(complaint_of_bytes(std::span(bytes).first(size)), "truncated")) << name << " " << size;
    }
  }
  for (const auto text : {"P5"sv, "P5 3"sv, "P5 3 2 255"sv, "P5 3 2 255\nabcde"sv, "P6 1 1 65535\nabcde"sv,
                          "P2 3 2 255 1 2 3 4 5"sv, "P2 2 1 255 255 # "sv}) {
    EXPECT_TRUE(says(complaint_of_text(text), "truncated")) << text;
  }
}

TEST(Truncated, OptionalFormats) {
  for (const auto* name : {"rgb.heic", "rgba.heic", "rgb10.heic", "rgb.avif", "rgba.avif", "rgb.jp2", "rgba.jp2",
                           "grey16.jp2", "rgb.j2k"}) {
    if (!missing_library(name).empty()) GTEST_SKIP() << "lacks " << missing_library(name);
    const auto bytes = bytes_of_file(testdata(name));
    ASSERT_FALSE(bytes.empty());
    for (std::size_t size = 12; size < bytes.size(); ++size) {
      EXPECT_TRUE(says(complaint_of_bytes(std::span(bytes).first(size)), "truncated")) << name << " " << size;
    }
  }
}

TEST(Damaged, FlippedBitsInAPngAreNoticed) {
  auto bytes = bytes_of_file(testdata("rgb8.png"));
  ASSERT_FALSE(bytes.empty());
  bytes[bytes.size() - 20] ^= std::byte{1};
  EXPECT_TRUE(says(complaint_of_bytes(bytes), "damaged"));
}

TEST(Damaged, Pnm) {
  EXPECT_TRUE(says(complaint_of_text("P5 x 2 255\n"), "something else where a number should be"));
  EXPECT_TRUE(says(complaint_of_text("P5 3 2 70000\n"), "the range is 1 to 65535"));
  EXPECT_TRUE(says(complaint_of_text("P2 1 1 100 101"), "above its largest value 100"));
  EXPECT_TRUE(says(complaint_of_text("P5 99999999999 1 255\n"), "too large"));
}

TEST(TooLarge, HugeHeadersAreRefusedBeforeMemoryIsTaken) {
  EXPECT_TRUE(says(complaint_of_text("P5 100000000 100000000 255\n"), "100000000 × 100000000 pixels"));
  EXPECT_TRUE(says(complaint_of_text("P5 0 5 255\n"), "0 × 5 pixels"));
  // A header for 65500 × 16000 pixels with the data of 13 × 9 pixels.
  auto bytes = bytes_of_file(testdata("rgb.jpg"));
  const std::byte frame[] = {std::byte{0xFF}, std::byte{0xC0}};
  const auto at = std::search(bytes.begin(), bytes.end(), std::begin(frame), std::end(frame));
  ASSERT_NE(at, bytes.end());
  const std::byte size[] = {std::byte{0x3E}, std::byte{0x80}, std::byte{0xFF}, std::byte{0xDC}};
  std::copy(std::begin(size), std::end(size), at + 5);
  EXPECT_TRUE(says(complaint_of_bytes(bytes, {.max_pixels = 1 << 30}), "truncated"));
  EXPECT_TRUE(says(complaint_of_bytes(bytes), "65500 × 16000 pixels, more than `max_pixels`, 268435456"));
}

TEST(TooLarge, MaxPixelsIsTheLimit) {
  for (const auto& entry : fs::directory_iterator(testdata(""))) {
    const std::string name = entry.path().filename().string();
    const std::string ending = entry.path().extension().string();
    if (ending == ".py" || ending == ".npz" || !missing_library(name).empty()) continue;
    const auto bytes = bytes_of_file(entry.path());
    if (!complaint_of_bytes(bytes).empty()) continue;  // a kind that is not read
    const Image whole = decode_image(bytes, name);
    const std::uint64_t pixels = static_cast<std::uint64_t>(whole.width()) * static_cast<std::uint64_t>(whole.height());
    EXPECT_EQ(complaint_of_bytes(bytes, {.max_pixels = pixels}), "") << name;
    const std::string sentence = complaint_of_bytes(bytes, {.max_pixels = pixels - 1});
    EXPECT_TRUE(says(sentence, "pixels, more than `max_pixels`, " + std::to_string(pixels - 1))) << name;
  }
}

TEST(TooLarge, MaxPixelsHasARange) {
  const auto bytes = bytes_of_file(testdata("rgb8.png"));
  for (const std::uint64_t limit : {std::uint64_t{0}, (std::uint64_t{1} << 30) + 1, ~std::uint64_t{0}}) {
    try {
      decode_image(bytes, "a name", {.max_pixels = limit});
      ADD_FAILURE() << limit;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_option);
      EXPECT_EQ(error.option(), "max_pixels");
    }
  }
}

TEST(Tiff, KindsThatAreNotReadSaySo) {
  TiffFile file{.width = 1, .height = 1};
  file.strips = {std::string(16, 'a')};
  for (const auto& [format, bits, words] :
       {std::tuple(4, 8, "what kind of numbers"), std::tuple(5, 32, "complex"), std::tuple(6, 64, "complex"),
        std::tuple(2, 64, "64-bit samples with a sign"), std::tuple(3, 24, "24-bit floats")}) {
    file.format = static_cast<std::uint16_t>(format);
    file.bits = static_cast<std::uint16_t>(bits);
    EXPECT_TRUE(says(complaint_of_text(file.bytes()), words));
  }
}

// Four floats, little-endian.
TiffFile four_floats(const std::array<float, 4>& values) {
  TiffFile file{.width = 4, .height = 1, .bits = 32, .format = 3};
  file.strips = {std::string(reinterpret_cast<const char*>(values.data()), sizeof values)};
  return file;
}

TEST(Tiff, SamplesThatAreNoNumbersBecomeBlack) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  for (const float missing : {nan, -infinity}) {
    const Image image = decoded(four_floats({270, missing, 290, 280}).bytes());
    const double wanted[] = {0, 0, 1, 0.5};
    for (int x = 0; x < 4; ++x) EXPECT_NEAR(sample(image, x, 0, 0), wanted[x], 1e-6) << missing;
  }
  for (const auto* name : {"float_nan.tif", "float_infinite.tif"}) {
    EXPECT_NO_THROW(decode_image(bytes_of_file(testdata(name)), name));
  }
  EXPECT_TRUE(says(complaint_of_text(four_floats({nan, nan, infinity, nan}).bytes()), "all its samples are missing"));
}

TEST(Tiff, WideIntegersAreMappedLikeFloats) {
  TiffFile file{.width = 4, .height = 1, .bits = 32, .format = 1};
  file.strips = {"\x64\x00\x00\x00\xC8\x00\x00\x00\x2C\x01\x00\x00\x64\x00\x01\x00"s};  // 100, 200, 300, 65636
  for (const std::uint16_t format : {std::uint16_t{1}, std::uint16_t{2}}) {
    file.format = format;
    const Image image = decoded(file.bytes());
    ASSERT_EQ(image.type(), PixelType::f32);
    const double wanted[] = {0, 100 / 65536.0, 200 / 65536.0, 1};
    for (int x = 0; x < 4; ++x) EXPECT_NEAR(sample(image, x, 0, 0), wanted[x], 1e-6);
  }
}

TEST(Tiff, TheRangeIsTheCallersWhereHeGivesOne) {
  const std::string bytes = four_floats({-1, 0.25F, 0.5F, 3}).bytes();
  const auto read = [&](const ReadOptions& options) {
    return decode_photograph(std::as_bytes(std::span(bytes)), "floats", options);
  };
  const Photograph own = read({.black = -2, .white = 4});
  EXPECT_EQ(own.scale, (ValueRange{-2, 4}));
  EXPECT_NEAR(sample(own.image, 0, 0, 0), 1 / 6.0, 1e-6);
  EXPECT_NEAR(sample(own.image, 3, 0, 0), 5 / 6.0, 1e-6);
  EXPECT_EQ(read({}).scale, (ValueRange{-1, 3}));
  EXPECT_THROW(read({.range = InputRange::full}), Error);
  EXPECT_THROW(read({.black = 4, .white = 4}), Error);
  EXPECT_THROW(read({.black = 4}), Error);
  EXPECT_THROW(read({.range = InputRange::full, .white = 4}), Error);
}

TEST(ReadTestImages, EightBitsAreTakenAsTheyAreAndARangeForThemIsWarnedOf) {
  const std::string grey = "P5 4 1 255 " + "\x00\x20\x40\xFF"s;
  const auto bytes = std::as_bytes(std::span(grey));
  std::vector<std::string> told;
  ReadOptions options{.black = 10, .white = 100};
  options.warning.tell = [&](const std::string& sentence) { told.push_back(sentence); };
  const Photograph photograph = decode_photograph(bytes, "grey", options);
  EXPECT_EQ(sample(photograph.image, 1, 0, 0), 32);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told.front(), "'grey': its 8 bits are taken as they are; the range 10 to 100 is for 16 bits and floats");

  decode_image(bytes, "mask", mask_options(options));
  options.black = options.white = 0;
  decode_photograph(bytes, "grey", options);
  EXPECT_EQ(told.size(), 1U);
}

TEST(ReadTestImages, DimImagesFillTheRange) {
  const std::string dim = "P5 4 1 65535 " + "\x00\x00\x01\x00\x02\x00\x03\xFF"s;  // 0, 256, 512, 1023
  const auto bytes = std::as_bytes(std::span(dim));
  const Photograph photograph = decode_photograph(bytes, "dim");
  EXPECT_EQ(photograph.scale, (ValueRange{0, 1023}));
  const double wanted[] = {0, 256 / 1023.0, 512 / 1023.0, 1};
  for (int x = 0; x < 4; ++x) EXPECT_NEAR(sample(photograph.image, x, 0, 0), wanted[x] * 65535, 0.5);
  const Image stored = decode_image(bytes, "dim", {.range = InputRange::full});
  for (int x = 0; x < 4; ++x) EXPECT_NEAR(sample(stored, x, 0, 0), wanted[x] * 1023, 1e-9);
}

TEST(Tiff, SamplesWithASignAreMappedLikeFloats) {
  TiffFile file{.width = 4, .height = 1, .format = 2};
  file.strips = {"\x80\x9C\x14\x7F"s};  // −128, −100, 20, 127
  const Image bytes = decoded(file.bytes());
  ASSERT_EQ(bytes.type(), PixelType::f32);
  const double wanted[] = {0, 28 / 255.0, 148 / 255.0, 1};
  for (int x = 0; x < 4; ++x) EXPECT_NEAR(sample(bytes, x, 0, 0), wanted[x], 1e-6);

  file.bits = 16;
  file.strips = {"\x00\x80\x00\x00\xFF\xFF\xFF\x7F"s};  // −32768, 0, −1, 32767
  const Image words = decoded(file.bytes());
  const double deep[] = {0, 32768 / 65535.0, 32767 / 65535.0, 1};
  for (int x = 0; x < 4; ++x) EXPECT_NEAR(sample(words, x, 0, 0), deep[x], 1e-6);
}

TEST(Tiff, SamplesBeyondFloatSaySo) {
  TiffFile file{.width = 1, .height = 1, .bits = 64, .format = 3};
  file.strips = {"\x9C\x75\x00\x88\x3C\xE4\x37\x7E"s};  // 1e300
  EXPECT_TRUE(says(complaint_of_text(file.bytes()), "beyond ±3.4e38, the range of float"));
}

TEST(Tiff, ThumbnailsAreSkipped) {
  TiffFile thumbnail{.width = 1, .height = 1, .kind = 1}, page{.width = 2, .height = 1};
  thumbnail.strips = {"a"};
  page.strips = {"bc"};
  const std::string first = "II*\0\x08\0\0\0"s + thumbnail.page(8, true);
  const std::string both = first + page.page(first.size(), false);
  EXPECT_EQ(decoded(both).width(), 2);
  EXPECT_EQ(decoded(thumbnail.bytes()).width(), 1);
}

TEST(TooLarge, Jpeg2000HeadersAreRefusedBeforeMemoryIsTaken) {
  if (!missing_library("rgb.j2k").empty()) GTEST_SKIP() << "lacks " << missing_library("rgb.j2k");
  // The code stream's size (ISO/IEC 15444-1, A.5.1): width at byte 8, height at byte 12.
  auto bytes = bytes_of_file(testdata("rgb.j2k"));
  ASSERT_GT(bytes.size(), 16u);
  bytes[8] = bytes[12] = std::byte{0x40};
  EXPECT_NE(complaint_of_bytes(bytes), "");
}

}  // namespace
}  // namespace octavo
