// The work that HEIC and AVIF files describe, of real files and of small ones that ask for much.

#include "io/images/heif_work.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

#include "io/images/coded_pixels.h"
#include "io/images/decoders.h"
#include "io/images/heif_items.h"
#include "io/images/test_images.h"

namespace octavo::io {
namespace {

using namespace test;
using namespace std::string_literals;

Bytes bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }
std::string text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

std::string number(std::uint64_t value, int size) {
  std::string bytes;
  for (int i = size - 1; i >= 0; --i) bytes += static_cast<char>(value >> 8 * i);
  return bytes;
}

std::string box(const std::string& type, const std::string& content) {
  return number(content.size() + 8, 4) + type + content;
}

/// The coded image of rgb.heic, 64 × 64 pixels.
struct Tile {
  std::string configuration, data;
};
Tile real_tile() {
  const std::vector<std::byte> file = bytes_of_file(testdata("rgb.heic"));
  for (const auto& [id, item] : heif_items(file).items) {
    if (item.type == "hvc1") return {text_of(item.hevc), text_of(item.data.at(0))};
  }
  return {};
}

struct Canvas {
  int rows, columns, width, height;
  int most_stated = 1 << 30;  ///< the largest side that its property "ispe" states
};

/// A file whose item 1 is the tile, item 2 a grid of it, item 3 a grid of item 2, and so on. The last one is primary.
std::string grids(const Tile& tile, const std::vector<Canvas>& canvases) {
  const auto size_box = [](int width, int height) {
    return box("ispe", number(0, 4) + number(static_cast<std::uint64_t>(width), 4) +
                           number(static_cast<std::uint64_t>(height), 4));
  };
  const auto item = [](std::size_t id, const std::string& type) {
    return box("infe", number(2, 1) + number(id == 1 ? 1 : 0, 3) + number(id, 2) + number(0, 2) + type + "\0"s);
  };
  std::string idat = tile.data, properties = box("hvcC", tile.configuration) + size_box(64, 64), references;
  std::string infos = item(1, "hvc1"), links = number(1, 2) + "\2\1\2"s;
  std::string places =
      number(1, 2) + number(1, 2) + number(0, 2) + number(1, 2) + number(0, 4) + number(idat.size(), 4);
  for (std::size_t i = 0; i < canvases.size(); ++i) {
    const Canvas& canvas = canvases[i];
    const std::size_t id = i + 2,
                      count = static_cast<std::size_t>(canvas.rows) * static_cast<std::size_t>(canvas.columns);
    const std::string grid = "\0\0"s + static_cast<char>(canvas.rows - 1) + static_cast<char>(canvas.columns - 1) +
                             number(static_cast<std::uint64_t>(canvas.width), 2) +
                             number(static_cast<std::uint64_t>(canvas.height), 2);
    places +=
        number(id, 2) + number(1, 2) + number(0, 2) + number(1, 2) + number(idat.size(), 4) + number(grid.size(), 4);
    idat += grid;
    infos += item(id, "grid");
    properties += size_box(std::min(canvas.width, canvas.most_stated), std::min(canvas.height, canvas.most_stated));
    links += number(id, 2) + "\1"s + static_cast<char>(3 + i);
    std::string parts;
    for (std::size_t k = 0; k < count; ++k) parts += number(id - 1, 2);
    references += box("dimg", number(id, 2) + number(count, 2) + parts);
  }
  const std::size_t items = canvases.size() + 1;
  const std::string meta = number(0, 4) + box("hdlr", number(0, 8) + "pict" + std::string(13, '\0')) +
                           box("pitm", number(0, 4) + number(items, 2)) + box("idat", idat) +
                           box("iloc", number(1, 1) + number(0, 3) + number(0x4400, 2) + number(items, 2) + places) +
                           box("iinf", number(0, 4) + number(items, 2) + infos) +
                           box("iprp", box("ipco", properties) + box("ipma", number(0, 4) + number(items, 4) + links)) +
                           box("iref", number(0, 4) + references);
  return box("ftyp", "heic" + number(0, 4) + "mif1heic") + box("meta", meta);
}

/// The sentence of the error; empty: the image is read.
std::string outcome(const std::string& file) {
  try {
    decode_heif(bytes_of(file), 1 << 16);
  } catch (const DecodeError& error) {
    return error.what();
  }
  return {};
}

void expect_refused(const std::string& file, const std::string& words) {
  const std::string sentence = outcome(file);
  EXPECT_NE(sentence.find(words), std::string::npos) << "'" << sentence << "' does not say " << words;
}

/// A sequence parameter set of HEVC without sub-layers, up to the size.
std::string parameter_set(std::uint32_t width, std::uint32_t height) {
  std::string bits(8 + 88 + 8, '0');
  for (const std::uint32_t value : {0u, 1u, width, height}) {  // its number, 4:2:0, the size
    const int length = static_cast<int>(std::bit_width(value + 1));
    bits += std::string(static_cast<std::size_t>(length - 1), '0');
    for (int i = length - 1; i >= 0; --i) bits += (value + 1) >> i & 1 ? '1' : '0';
  }
  bits += "1";
  std::string bytes = "\x42\x01"s, inserted;
  for (std::size_t at = 0; at < bits.size(); at += 8) {
    unsigned byte = 0;
    for (std::size_t i = at; i < at + 8; ++i) byte = byte << 1 | (i < bits.size() && bits[i] == '1' ? 1 : 0);
    bytes += static_cast<char>(byte);
  }
  for (const char byte : bytes) {
    if (inserted.ends_with("\0\0"s) && static_cast<unsigned char>(byte) <= 3) inserted += '\3';
    inserted += byte;
  }
  return inserted;
}

class HeifWork : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string lacks = missing_library("a.heic"); !lacks.empty()) GTEST_SKIP() << "lacks " << lacks;
  }
};

TEST(CodedPixels, OfRealFiles) {
  for (const char* name : {"rgb.heic", "rgba.heic", "rgb10.heic"}) {
    const std::vector<std::byte> file = bytes_of_file(testdata(name));
    int coded = 0;
    for (const auto& [id, item] : heif_items(file).items) {
      if (item.type != "hvc1") continue;
      ++coded;
      ASSERT_EQ(item.data.size(), 1u);
      EXPECT_EQ(hevc_pixels(item.hevc, item.data[0]), 64 * 64) << name;
      const std::string twice = text_of(item.data[0]) + text_of(item.data[0]);
      EXPECT_EQ(hevc_pixels(item.hevc, bytes_of(twice)), 2 * 64 * 64) << name << ": two images";
    }
    EXPECT_EQ(coded, std::string(name) == "rgba.heic" ? 2 : 1);
  }
  for (const char* name : {"rgb.avif", "rgba.avif", "exif_6.avif", "animated.avif"}) {
    const std::vector<std::byte> file = bytes_of_file(testdata(name));
    int coded = 0;
    for (const auto& [id, item] : heif_items(file).items) {
      if (item.type != "av01") continue;
      ++coded;
      ASSERT_EQ(item.data.size(), 1u);
      EXPECT_EQ(av1_pixels(item.av1, item.data[0]), width * height) << name;
    }
    EXPECT_EQ(coded, std::string(name) == "rgba.avif" ? 2 : 1);
  }
}

TEST(CodedPixels, UnitsOfNoKnownKindAreRefused) {
  EXPECT_EQ(av1_pixels({}, bytes_of("\x7A\0"s)), 0) << "padding";
  for (const std::string& unit : {"\x52\0"s, "\x02\0"s}) EXPECT_THROW(av1_pixels({}, bytes_of(unit)), DecodeError);
}

TEST(CodedPixels, OfAnyParameterSet) {
  for (const std::uint32_t side : {1u, 13u, 4096u, 65535u, 1u << 31}) {
    const std::string unit = parameter_set(side, 7), data = number(unit.size(), 4) + unit;
    EXPECT_EQ(hevc_pixels({}, bytes_of(data)), 7.0 * side);
    EXPECT_EQ(hevc_pixels(bytes_of(std::string(22, '\0') + "\1\x21\0\1"s + number(unit.size(), 2) + unit), {}),
              7.0 * side);
  }
}

TEST(HeifParts, OfMetadataCountToo) {
  std::string extents;
  for (int i = 0; i < 9; ++i) extents += number(0, 4) + number(1 << 20, 4);
  const std::string exif = box("infe", number(2, 1) + number(1, 3) + number(2, 2) + number(0, 2) + "Exif" + "\0"s);
  const std::string places = number(2, 2) + number(0, 2) + number(0, 2) + number(9, 2) + extents;
  const std::string meta = number(0, 4) + box("pitm", number(0, 4) + number(1, 2)) +
                           box("iinf", number(0, 4) + number(1, 2) + exif) +
                           box("iloc", number(1, 1) + number(0, 3) + number(0x4400, 2) + number(1, 2) + places);
  EXPECT_THROW(check_heif_work(bytes_of(box("meta", meta)), 1 << 16), DecodeError);
}

TEST_F(HeifWork, AnUsualGridIsRead) { EXPECT_EQ(outcome(grids(real_tile(), {{2, 3, 150, 100}})), ""); }

TEST_F(HeifWork, ACanvasLargerThanItsContainerSays) {
  expect_refused(grids(real_tile(), {{1, 1, 20000, 20000, 64}}),
                 "its parts have 400004096 pixels, more than `max_pixels` allows");
}

TEST_F(HeifWork, ATileUsedManyTimes) {
  expect_refused(grids(real_tile(), {{40, 40, 64, 64}}),
                 "its parts have 6557696 pixels, more than `max_pixels` allows");
  // 256^4 tiles
  expect_refused(grids(real_tile(), {{256, 1, 64, 64}, {256, 1, 64, 64}, {256, 1, 64, 64}, {256, 1, 64, 64}}),
                 "more than `max_pixels` allows");
}

TEST_F(HeifWork, ATileOfAnotherSizeThanItsContainerSays) {
  Tile tile = real_tile();
  const std::string unit = parameter_set(20000, 20000);
  tile.data = number(unit.size(), 4) + unit + tile.data;
  expect_refused(grids(tile, {{1, 1, 64, 64}}), "its parts have 400004096 pixels");
}

TEST_F(HeifWork, ManyImagesInOneTile) {
  Tile tile = real_tile();
  const std::string one = tile.data;
  for (int i = 0; i < 2000; ++i) tile.data += one;
  expect_refused(grids(tile, {{1, 1, 64, 64}}), "its parts have 8200192 pixels");
}

TEST_F(HeifWork, PartsThatOverlap) {
  std::string file = grids(real_tile(), {{1, 1, 64, 64}});
  // One more list of places, with item 1 in 1000 parts that are the same bytes.
  std::string places = number(1, 2) + number(0, 2) + number(1000, 2);
  for (int i = 0; i < 1000; ++i) places += number(0, 4) + number(file.size(), 4);
  const std::string list = box("iloc", number(0, 4) + number(0x4400, 2) + number(1, 2) + places);
  const std::size_t at = file.find("meta") + 8, old = file.find("iloc") - 4;
  file.replace(old + 4, 4, "free");
  file.insert(at, list);
  const std::size_t meta = file.find("meta") - 4;
  file.replace(meta, 4, number(file.size() - meta, 4));
  expect_refused(file, "its parts overlap");
}

}  // namespace
}  // namespace octavo::io
