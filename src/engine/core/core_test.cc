// Values of options as text; parts of errors; images refuse impossible sizes.

#include <gtest/gtest.h>

#include <cmath>

#include "engine/core/plane.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/option_table.h"

namespace octavo {
namespace {

TEST(OptionTable, WritesValuesAsPeopleDo) {
  EXPECT_EQ(option_text(true), "true");
  EXPECT_EQ(option_text(-12), "-12");
  EXPECT_EQ(option_text(0.04), "0.04");
  EXPECT_EQ(option_text(1e-6), "0.000001");
  EXPECT_EQ(option_text(1 - 1e-6), "0.999999");
  EXPECT_EQ(option_text(1e100), "1e+100");
  EXPECT_EQ(option_text(0.0), "0");
  EXPECT_EQ(option_text("bt709"), "bt709");
}

TEST(OptionTable, WritesValuesAsJson) {
  EXPECT_EQ(json_of(true), "true");
  EXPECT_EQ(json_of(-12), "-12");
  EXPECT_EQ(json_of(0.25), "0.25");
  EXPECT_EQ(json_of(std::nan("")), "null");
  EXPECT_EQ(json_of("a\"b\\c\n"), "\"a\\\"b\\\\c\\u000a\"");
}

TEST(Error, WithoutAnOptionHasNoneOfItsParts) {
  const Error plain(ErrorCode::file_error, "no such file");
  EXPECT_TRUE(plain.option().empty() && plain.value().empty() && plain.reason().empty());
  const Error of_robust(ErrorCode::invalid_option, InvalidOption{"threshold", "0", "must be more"}, "robust");
  EXPECT_STREQ(of_robust.what(), "robust threshold is 0, but must be more");
  EXPECT_EQ(of_robust.option(), "threshold");
}

TEST(Image, RefusesImpossibleSizes) {
  EXPECT_THROW(Image(-1, 1, 1, PixelType::u8), Error);
  EXPECT_THROW(Image(1, 1, 5, PixelType::u8), Error);
  EXPECT_TRUE(Image(0, 3, 1, PixelType::u8).empty());
}

TEST(Image, CloneIsEqualAndApart) {
  Image image(3, 2, 1, PixelType::u16);
  reinterpret_cast<std::uint16_t*>(image.row(1))[2] = 777;
  Image copy = image.clone();
  reinterpret_cast<std::uint16_t*>(image.row(1))[2] = 1;
  EXPECT_EQ(reinterpret_cast<std::uint16_t*>(copy.row(1))[2], 777);
}

TEST(Plane, RowsStartOnCacheLinesAndMemoryIsKept) {
  Plane plane;
  plane.resize(1000, 700);
  float* first = plane.row(0);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(plane.row(1)) % 64, 0u);
  plane.resize(17, 3);
  EXPECT_EQ(plane.row(0), first);
  EXPECT_EQ(plane.stride(), 3 * 16);  // an odd number of cache lines
}

}  // namespace
}  // namespace octavo
