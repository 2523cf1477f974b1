#include "io/exif/joined_exif.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/exif/exif.h"
#include "io/exif/tiff_exif.h"

namespace octavo::io {
namespace {

using namespace std::string_literals;

// A block of the camera's model, a date, an orientation and a place, in either byte order.
std::vector<std::byte> block_of(const std::string& model, const std::string& date, std::uint32_t degrees,
                                bool is_big_endian = false) {
  std::string block;
  const auto append = [&](std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      block += static_cast<char>(value >> 8 * (is_big_endian ? size - 1 - i : i) & 255);
    }
  };
  const auto entry = [&](std::uint32_t tag, std::uint32_t type, std::uint32_t count, std::uint32_t place) {
    append(tag, 2), append(type, 2), append(count, 4), append(place, 4);
  };
  block += is_big_endian ? "MM" : "II";
  append(42, 2), append(8, 4), append(4, 2);
  entry(272, 2, 8, 100), entry(274, 4, 1, 6), entry(306, 2, 20, 108), entry(34853, 4, 1, 128);
  block.resize(100);
  block += model.substr(0, 8) + std::string(8 - model.size(), '\0') + date + std::string(20 - date.size(), '\0');
  append(4, 2);
  entry(1, 2, 2, is_big_endian ? 'N' << 24 : 'N'), entry(2, 5, 3, 182);
  entry(3, 2, 2, is_big_endian ? 'E' << 24 : 'E'), entry(4, 5, 3, 182);
  append(0, 4);
  for (const std::uint32_t number : {degrees, 1U, 30U, 1U, 0U, 1U}) append(number, 4);
  const auto bytes = std::as_bytes(std::span(block));
  return {bytes.begin(), bytes.end()};
}

bool holds(const std::vector<std::byte>& block, std::string_view text) {
  return std::string_view(reinterpret_cast<const char*>(block.data()), block.size()).find(text) != std::string::npos;
}

TEST(JoinedExif, HasWhatNoneContradictsAndTheDateAndPlaceOfTheFirst) {
  const std::vector<std::vector<std::byte>> blocks{
      block_of("One", "2026:01:02 10:20:30", 51, true), block_of("One", "2026:01:02 10:20:31", 52), {}};
  const std::vector<std::byte> made = joined_exif(blocks, ImageSize{5000, 1200});
  const CameraFacts facts = exif_facts(made);
  EXPECT_EQ(facts.model, "One");
  EXPECT_EQ(facts.orientation, 1);
  EXPECT_EQ(facts.width, 5000);
  ASSERT_TRUE(facts.place.has_value());
  EXPECT_EQ(facts.place->latitude, 51.5);
  EXPECT_TRUE(holds(made, "10:20:30"));
  EXPECT_FALSE(holds(made, "10:20:31"));

  const std::vector<std::vector<std::byte>> others{block_of("One", "2026:01:02 10:20:30", 51),
                                                   block_of("Two", "2026:01:02 10:20:31", 52)};
  EXPECT_EQ(exif_facts(joined_exif(others, ImageSize{1, 1})).model, "");
}

TEST(JoinedExif, OfOneBlockIsACopy) {
  const std::vector<std::vector<std::byte>> blocks{block_of("One", "2026:01:02 10:20:30", 51, true)};
  const CameraFacts facts = exif_facts(joined_exif(blocks, {}));
  EXPECT_EQ(facts.orientation, 6);
  EXPECT_FALSE(facts.width.has_value());
}

TEST(JoinedExif, OfNothingIsEmpty) {
  EXPECT_TRUE(joined_exif({}, ImageSize{1, 1}).empty());
  const std::vector<std::vector<std::byte>> damaged{{}, std::vector<std::byte>(100)};
  EXPECT_TRUE(joined_exif(damaged, ImageSize{1, 1}).empty());
  const std::vector<std::byte> whole = block_of("One", "2026:01:02 10:20:30", 51);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::vector<std::vector<std::byte>> cut{{whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}};
    joined_exif(cut, ImageSize{1, 1});
    tiff_exif_of_block(cut.front(), 8, false);
  }
}

}  // namespace
}  // namespace octavo::io
