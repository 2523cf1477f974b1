// Film from a hand, of made clip files.

#include "video/signature/shaken_copies.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>

#include "engine/core/test_folder.h"
#include "video/signature/made_y4m.h"

namespace octavo {
namespace {

constexpr double filmed_seconds = 4;

// Patches of random grey values.
double patch_at(double x, double y, unsigned seed) {
  constexpr double side = 7;  // [pixel]
  const auto cell = [](double at) { return static_cast<std::uint32_t>(std::floor(at / side) + 1000); };
  std::uint32_t hash = cell(x) * 73856093U ^ cell(y) * 19349663U ^ seed * 83492791U;
  hash = (hash ^ (hash >> 15)) * 2246822519U;
  return 40 + (hash >> 8) % 176;
}

class ShakenCopies : public testing::Test {
 protected:
  // The query is filmed by a hand that does not hold still. The other clip shows the same from this row up, and
  // something else below.
  bool are_found(int same_rows, const CopySegment& segment) const {
    const auto query = folder_.write("query.y4m", made_y4m(filmed_seconds, [](int x, int y, double time) {
                                       const double dx = 6 * std::sin(9 * time), dy = 5 * std::sin(11 * time);
                                       return patch_at(x + std::round(dx), y + std::round(dy), 1);
                                     }));
    const auto other = folder_.write("other.y4m", made_y4m(filmed_seconds, [&](int x, int y, double) {
                                       return patch_at(x, y, y < same_rows ? 1 : 2);
                                     }));
    return shows_images_of(segment, query, other, {});
  }

  const TestFolder folder_;
};

const CopySegment shaken_whole{
    .query_in = 0, .query_out = filmed_seconds, .other_in = 0, .other_out = filmed_seconds, .shaken = true};

TEST_F(ShakenCopies, ShowTheSameImagesEachAtItsOwnPlace) {
  EXPECT_TRUE(are_found(made_height, shaken_whole));
  EXPECT_FALSE(are_found(made_height / 3, shaken_whole));  // as a skyline does behind other houses
}

TEST_F(ShakenCopies, MayRunBackwards) {
  CopySegment backwards = shaken_whole;
  backwards.speed = -1;
  EXPECT_TRUE(are_found(made_height, backwards));
  EXPECT_FALSE(are_found(made_height / 3, backwards));
}

}  // namespace
}  // namespace octavo
