#include "video/frames/orientation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "octavo/image.h"

namespace octavo::video {
namespace {

// The image "ab/cd/ef" as it is shown, in rows of letters.
std::string rows_shown(Orientation orientation) {
  Image stored(2, 3, 1, PixelType::u8);
  for (int i = 0; i < 6; ++i) stored.row(i / 2)[i % 2] = static_cast<std::byte>('a' + i);
  const Image turned = shown(stored, orientation);
  std::string text;
  for (int y = 0; y < turned.height(); ++y) {
    if (y > 0) text += '/';
    for (int x = 0; x < turned.width(); ++x) text += static_cast<char>(turned.row(y)[x]);
  }
  return text;
}

TEST(Orientation, TurnsClockwise) {
  EXPECT_EQ(rows_shown({0, false}), "ab/cd/ef");
  EXPECT_EQ(rows_shown({90, false}), "eca/fdb");
  EXPECT_EQ(rows_shown({180, false}), "fe/dc/ba");
  EXPECT_EQ(rows_shown({270, false}), "bdf/ace");
}

TEST(Orientation, MirrorsBeforeItTurns) {
  EXPECT_EQ(rows_shown({0, true}), "ba/dc/fe");
  EXPECT_EQ(rows_shown({90, true}), "fdb/eca");
  EXPECT_EQ(rows_shown({180, true}), "ef/cd/ab");
  EXPECT_EQ(rows_shown({270, true}), "ace/bdf");
}

// (x, y) is shown at (a x + c y, b x + d y), so every orientation can be read off its image.
TEST(Orientation, OfMatrices) {
  EXPECT_EQ(orientation_of(1, 0, 0, 1), (Orientation{0, false}));
  EXPECT_EQ(orientation_of(0, 1, -1, 0), (Orientation{90, false}));  // right goes down
  EXPECT_EQ(orientation_of(-1, 0, 0, -1), (Orientation{180, false}));
  EXPECT_EQ(orientation_of(0, -1, 1, 0), (Orientation{270, false}));
  EXPECT_EQ(orientation_of(-1, 0, 0, 1), (Orientation{0, true}));
  EXPECT_EQ(orientation_of(1, 0, 0, -1), (Orientation{180, true}));
  EXPECT_EQ(orientation_of(0, 1, 1, 0), (Orientation{270, true}));  // transposed: "ace/bdf"
  EXPECT_EQ(orientation_of(0, -1, -1, 0), (Orientation{90, true}));
}

TEST(Orientation, OfAnglesBetween) {
  for (const auto& [degree, nearest] : {std::pair{10, 0}, {80, 90}, {100, 90}, {-80, 270}, {170, 180}}) {
    const double angle = degree * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
    EXPECT_EQ(orientation_of(c, s, -s, c), (Orientation{nearest, false})) << degree;
    EXPECT_FALSE(is_quarter_turn(c, s, -s, c)) << degree;
  }
  EXPECT_TRUE(is_quarter_turn(0, 65536, -65536, 0));
  EXPECT_FALSE(is_quarter_turn(0, 0, 0, 0));
}

}  // namespace
}  // namespace octavo::video
