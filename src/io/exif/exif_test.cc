#include "io/exif/exif.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "io/exif/tiff_exif.h"
#include "io/images/test_images.h"
#include "octavo/error.h"
#include "octavo/io/camera_facts.h"
#include "octavo/io/image_files.h"
#include "octavo/io/image_formats.h"

namespace octavo::io {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

int orientation(std::string_view block) { return exif_facts(std::as_bytes(std::span(block))).orientation; }

// Header, directory at 8, one entry: tag 274, type 3 (16 bits), count 1, value.
constexpr auto little = "II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"sv;
constexpr auto big = "MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x08\0\0\0\0\0\0"sv;

TEST(Exif, BothByteOrders) {
  EXPECT_EQ(orientation(little), 6);
  EXPECT_EQ(orientation(big), 8);
}

TEST(Exif, DamagedBlocksAreUpright) {
  EXPECT_EQ(orientation(""), 1);
  EXPECT_EQ(orientation("II"), 1);
  EXPECT_EQ(orientation("MM\0*\xFF\xFF\xFF\xFF"sv), 1);
  for (std::size_t size = 0; size < 20; ++size) EXPECT_EQ(orientation(big.substr(0, size)), 1) << size;
  std::string nine(little);
  nine[18] = 9;
  EXPECT_EQ(orientation(nine), 1);
  nine[18] = 0;
  EXPECT_EQ(orientation(nine), 1);
}

// An entry of a directory: tag, type, count, value or offset.
struct Entry {
  std::uint32_t tag, type, value;
};
constexpr std::uint32_t whole_type = 3, quotient_type = 5;

// A little-endian block whose photograph's directory has these entries, and two quotients, at 200 and 208.
std::string photograph_block(const std::vector<Entry>& entries, std::array<std::uint32_t, 4> quotients = {}) {
  std::string block = "II*";
  block.resize(216);
  const auto put = [&](std::size_t at, std::uint32_t number, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) block[at + i] = static_cast<char>(number >> 8 * i & 255);
  };
  const auto put_entry = [&](std::size_t at, const Entry& entry) {
    put(at, entry.tag, 2), put(at + 2, entry.type, 2), put(at + 4, 1, 4), put(at + 8, entry.value, 4);
  };
  put(4, 8, 4), put(8, 1, 2), put_entry(10, {0x8769, 4, 26});  // the first directory names that of the photograph
  put(26, static_cast<std::uint32_t>(entries.size()), 2);
  for (std::size_t i = 0; i < entries.size(); ++i) put_entry(28 + 12 * i, entries[i]);
  for (std::size_t i = 0; i < quotients.size(); ++i) put(200 + 4 * i, quotients[i], 4);
  return block;
}

constexpr Entry film_28{0xA405, whole_type, 28}, film_0{0xA405, whole_type, 0};
constexpr Entry lens{0x920A, quotient_type, 200}, resolution{0xA20E, quotient_type, 208};
constexpr Entry inch{0xA210, whole_type, 2}, centimetre{0xA210, whole_type, 3}, metre{0xA210, whole_type, 7};
constexpr Entry width_8000{0xA002, 4, 8000};

std::optional<double> focal_length(const std::string& block, ImageSize size = {4000, 3000}) {
  return focal_length_of(exif_facts(std::as_bytes(std::span(block))), size);
}

TEST(Exif, FocalLengthOnFilm) {
  // 28 mm by 5000 pixels in the diagonal of 43.2666 mm.
  EXPECT_NEAR(focal_length(photograph_block({film_28})).value(), 3235.75, 0.01);
  EXPECT_NEAR(focal_length(photograph_block({film_28}), {3000, 4000}).value(), 3235.75, 0.01);
  EXPECT_NEAR(focal_length(photograph_block({lens, film_28}, {5, 1})).value(), 3235.75, 0.01);
}

TEST(Exif, FocalLengthAndResolutionOfTheSensor) {
  // 5.5 mm, 25400 pixels an inch: 1000 a millimetre.
  constexpr std::array<std::uint32_t, 4> numbers{55, 10, 25400, 1};
  EXPECT_DOUBLE_EQ(focal_length(photograph_block({lens, resolution, inch}, numbers)).value(), 5500);
  EXPECT_DOUBLE_EQ(focal_length(photograph_block({lens, resolution}, numbers)).value(), 5500);
  EXPECT_DOUBLE_EQ(focal_length(photograph_block({lens, resolution, centimetre}, numbers)).value(), 13970);
  EXPECT_DOUBLE_EQ(focal_length(photograph_block({width_8000, lens, resolution, inch}, numbers)).value(), 2750);
  EXPECT_DOUBLE_EQ(focal_length(photograph_block({lens, resolution, film_0}, numbers)).value(), 5500);
}

TEST(Exif, FocalLengthThatIsNotGiven) {
  const std::string film = photograph_block({film_28});
  EXPECT_FALSE(focal_length("").has_value());
  EXPECT_FALSE(focal_length(std::string(little)).has_value());
  EXPECT_FALSE(focal_length(film.substr(0, 30)).has_value());
  EXPECT_FALSE(focal_length(photograph_block({film_0})).has_value());
  EXPECT_FALSE(focal_length(photograph_block({lens}, {5, 1})).has_value());
  EXPECT_FALSE(focal_length(photograph_block({lens, resolution, metre}, {5, 1, 25400, 1})).has_value());
  for (const std::array<std::uint32_t, 4>& numbers : {std::array<std::uint32_t, 4>{0, 1, 25400, 1},
                                                      {5, 0, 25400, 1},
                                                      {5, 1, 0, 1},
                                                      {5, 1, 25400, 0},
                                                      {4294967295, 1, 4294967295, 1},
                                                      {1, 4294967295, 1, 1}}) {
    EXPECT_FALSE(focal_length(photograph_block({lens, resolution, inch}, numbers)).has_value()) << numbers[0];
  }
}

TEST(Exif, PhotographsHaveTheirFocalLength) {
  const Photograph plain = read_photograph(test::testdata("rgb.jpg"));
  EXPECT_FALSE(plain.focal_length.has_value());
  // The block as a JPEG's segment behind its first two bytes.
  const std::string segment = "Exif\0\0"s + photograph_block({film_28});
  const std::size_t length = segment.size() + 2;
  std::string jpeg = "\xFF\xE1"s + static_cast<char>(length >> 8) + static_cast<char>(length & 255) + segment;
  const std::vector<std::byte> file = test::bytes_of_file(test::testdata("rgb.jpg"));
  jpeg = std::string(reinterpret_cast<const char*>(file.data()), 2) + jpeg +
         std::string(reinterpret_cast<const char*>(file.data()) + 2, file.size() - 2);
  const Photograph photograph = decode_photograph(std::as_bytes(std::span(jpeg)), "a.jpg");
  ASSERT_EQ(photograph.image.width(), plain.image.width());
  EXPECT_NEAR(photograph.focal_length.value(),
              28 * std::hypot(plain.image.width(), plain.image.height()) / std::hypot(36, 24), 1e-9);
}

// The numbers of a little-endian EXIF block with the camera's name and a place. Its directories stand behind `before`
// bytes.
std::string block_of_a_place(std::uint32_t before = 0) {
  std::string block = "II*";
  block.resize(before + 300);
  const auto put = [&](std::size_t at, std::uint32_t number, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) block[at + i] = static_cast<char>(number >> 8 * i & 255);
  };
  const auto put_entry = [&](std::size_t at, std::uint32_t tag, std::uint32_t type, std::uint32_t count,
                             std::uint32_t value) {
    put(at, tag, 2), put(at + 2, type, 2), put(at + 4, count, 4), put(at + 8, value, 4);
  };
  const std::uint32_t at = before;
  put(4, at + 8, 4), put(at + 8, 3, 2);
  put_entry(at + 10, 0x010F, 2, 8, at + 60), block.replace(at + 60, 8, " Acme  \0"s);
  put_entry(at + 22, 0x0110, 2, 4, 'O' | 'n' << 8 | 'e' << 16);
  put_entry(at + 34, 0x8825, 4, 1, at + 80);
  put(at + 80, 6, 2);
  put_entry(at + 82, 1, 2, 2, 'S'), put_entry(at + 94, 2, 5, 3, at + 200);
  put_entry(at + 106, 3, 2, 2, 'E'), put_entry(at + 118, 4, 5, 3, at + 224);
  put_entry(at + 130, 5, 1, 1, 1), put_entry(at + 142, 6, 5, 1, at + 248);
  const std::array<std::uint32_t, 14> quotients{33, 1, 30, 1, 36, 1, 151, 1, 15, 2, 0, 0, 25, 2};
  for (std::size_t i = 0; i < quotients.size(); ++i) put(at + 200 + 4 * i, quotients[i], 4);
  return block;
}

TEST(Exif, CameraAndPlace) {
  const std::string block = block_of_a_place();
  const CameraFacts facts = exif_facts(std::as_bytes(std::span(block)));
  EXPECT_EQ(facts.make, "Acme");
  EXPECT_EQ(facts.model, "One");
  ASSERT_TRUE(facts.place.has_value());
  EXPECT_NEAR(facts.place->latitude, -33.51, 1e-12);
  EXPECT_NEAR(facts.place->longitude, 151.125, 1e-12);
  EXPECT_EQ(facts.place->altitude, -12.5);
  // 333 degrees are no latitude.
  std::string wrong = block;
  wrong[200] = static_cast<char>(77), wrong[201] = 1;
  EXPECT_FALSE(exif_facts(std::as_bytes(std::span(wrong))).place.has_value());
  for (std::size_t size = 0; size < block.size(); size += 7) exif_facts(std::as_bytes(std::span(block).first(size)));
}

CameraFacts facts_of_tiff(std::string_view file) {
  return exif_facts(exif_block_of_tiff(std::as_bytes(std::span(file))));
}

TEST(Exif, OfATiffFileStandAnywhere) {
  const std::string file = block_of_a_place(100'000);
  EXPECT_TRUE(exif_facts(std::as_bytes(std::span(file))).make.empty());  // beyond what a block can have
  const CameraFacts facts = facts_of_tiff(file);
  EXPECT_EQ(facts.make, "Acme");
  EXPECT_EQ(facts.model, "One");
  ASSERT_TRUE(facts.place.has_value());
  EXPECT_NEAR(facts.place->latitude, -33.51, 1e-12);
  EXPECT_NEAR(facts.place->longitude, 151.125, 1e-12);
  EXPECT_EQ(facts.place->altitude, -12.5);
  EXPECT_EQ(facts_of_tiff(big).orientation, 8);
  const std::string film = photograph_block({lens, resolution, inch}, {55, 10, 25400, 1});
  EXPECT_DOUBLE_EQ(focal_length_of(facts_of_tiff(film), {4000, 3000}).value(), 5500);
}

TEST(Exif, OfABigTiff) {
  const auto number = [](std::uint64_t value, std::size_t size) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) text += static_cast<char>(value >> 8 * i & 255);
    return text;
  };
  const std::string file = "II"s + number(43, 2) + number(8, 2) + number(0, 2) + number(16, 8) +  //
                           number(2, 8) + number(271, 2) + number(2, 2) + number(8, 8) + "Acme\0\0\0\0"s +
                           number(0x8769, 2) + number(18, 2) + number(1, 8) + number(72, 8) + number(0, 8) +
                           number(1, 8) + number(0xA405, 2) + number(3, 2) + number(1, 8) + number(28, 8) +
                           number(0, 8);
  const CameraFacts facts = facts_of_tiff(file);
  EXPECT_EQ(facts.make, "Acme");
  EXPECT_EQ(facts.focal_length_in_35mm, 28);
}

TEST(Exif, OfADamagedTiffAreMissing) {
  EXPECT_TRUE(exif_block_of_tiff({}).empty());
  const std::string whole = block_of_a_place();
  for (std::size_t size = 0; size < whole.size(); ++size) facts_of_tiff(whole.substr(0, size));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = '\xFF';
    EXPECT_LT(exif_block_of_tiff(std::as_bytes(std::span(damaged))).size(), 20'000U);
    facts_of_tiff(damaged);
  }
}

// libexif reads makers' notes too, which Octavo does not use.
TEST(Exif, DamagedNotesOfMakers) {
  std::mt19937 random(1);
  for (const std::string& note : {"\x28\0"s, "OLYMP\0\1\0\x28\0"s, "FUJIFILM\xC\0\0\0\x28\0"s, "AOC\0II\x28\0"s,
                                  "Nikon\0\2\x10\0\0II*\0\x8\0\0\0\x28\0"s, "Apple iOS\0\0\1II\x28\0"s}) {
    std::string block = "II*\0\x8\0\0\0\2\0"s + "\x0F\1\2\0\6\0\0\0\x40\0\0\0"s + "\x69\x87\4\0\1\0\0\0\x50\0\0\0"s;
    block.resize(96 + 500);
    block.replace(64, 6, "Canon\0"s);
    block.replace(80, 14, "\1\0\x7C\x92\7\0\xF4\1\0\0\x60\0\0\0"s);
    block.replace(96, note.size(), note);
    for (int round = 0; round < 2000; ++round) {
      std::string damaged = block;
      for (std::size_t i = 96 + note.size(); i < damaged.size(); ++i) {
        damaged[i] = static_cast<char>(random() % 8 * (random() % 4));
      }
      EXPECT_EQ(exif_facts(std::as_bytes(std::span(damaged))).make, "Canon") << note;
    }
  }
}

TEST(Exif, FactsAreReadFromFiles) {
  EXPECT_EQ(read_camera_facts(test::testdata("exif_6.jpg")).orientation, 6);
  EXPECT_EQ(read_camera_facts(test::testdata("exif_6.png")).orientation, 6);
  EXPECT_EQ(read_photograph(test::testdata("exif_6.webp")).camera.orientation, 6);
  EXPECT_EQ(read_camera_facts(test::testdata("exif_6.tif")).orientation, 6);
  EXPECT_THROW(read_camera_facts(test::testdata("none.jpg")), Error);
}

// A keypoint of the upright image points to the same pixel, at its own place and along its axes, in the stored one.
TEST(Exif, KeypointsOfTheUprightImageAreBroughtToTheStoredOne) {
  constexpr ImageSize size{5, 4};
  const auto made = [&] {
    Image image(size.width, size.height, 1, PixelType::u8);
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) image.row(y)[x] = static_cast<std::byte>(10 * y + x);
    }
    return image;
  };
  const Image stored = made();
  const auto at = [](const Image& image, double x, double y) {
    return static_cast<int>(image.row(static_cast<int>(std::lround(y)))[std::lround(x)]);
  };
  for (int orientation = 0; orientation <= 9; ++orientation) {
    const Image upright = turned_upright(made(), orientation);
    for (const bool is_ellipse : {false, true}) {
      Keypoint one{.x = 2, .y = 1, .scale = 1, .orientation = 0};
      if (is_ellipse) one.a11 = 2, one.a22 = 0.5;
      std::array keypoints{one};
      EXPECT_EQ(turn_as_stored(keypoints, {upright.width(), upright.height()}, orientation), size) << orientation;
      const Keypoint& k = keypoints.front();
      EXPECT_EQ(at(stored, k.x, k.y), at(upright, 2, 1)) << orientation;
      EXPECT_EQ(at(stored, k.x + std::cos(k.orientation), k.y + std::sin(k.orientation)), at(upright, 3, 1))
          << orientation;
      EXPECT_TRUE(k.orientation >= 0 && !std::signbit(k.orientation) && k.orientation < 6.28F) << orientation;
      EXPECT_EQ(k.scale, 1) << orientation;
      EXPECT_EQ(k.a11 * k.a22 - k.a12 * k.a21, is_ellipse ? 1 : 0) << orientation;
    }
  }
}

}  // namespace
}  // namespace octavo::io
