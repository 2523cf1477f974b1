#include "imageio/exif.h"

#include <gtest/gtest.h>

#include <string_view>

namespace octavo::imageio {
namespace {

using namespace std::string_view_literals;

int orientation(std::string_view block) { return exif_orientation(std::as_bytes(std::span(block))); }

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

}  // namespace
}  // namespace octavo::imageio
