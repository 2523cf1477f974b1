// Parallax of the pairs, held against the pixels.

#include "multiview/align/seen_parallax.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/selftest/images.h"
#include "octavo/image.h"

namespace octavo {
namespace {

using Warnings = std::vector<AlignmentWarning>;

// 200 pairs agree with the identity, and 60 are moved along rows, as depth moves them, or as equal windows do.
PointPairs pairs_of_rows() {
  PointPairs pairs;
  for (int i = 0; i < 260; ++i) {
    const Point a{30.0 + 17 * (i * 7 % 20), 25.0 + 19 * (i * 3 % 13)};
    pairs.a.push_back(a);
    pairs.b.push_back({a.x + (i < 200 ? 0 : 12.0 + i * 5 % 31), a.y});
  }
  return pairs;
}

Warnings warnings_with(const Image& a, const Image& b) {
  const PointPairs pairs = pairs_of_rows();
  const RobustModel homography = estimate_homography(pairs.a, pairs.b);
  Warnings warnings = warnings_of(homography, pairs, {a.view().width, a.view().height}, {400, 300});
  EXPECT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings.at(0).kind, AlignmentWarning::Kind::parallax);
  keep_seen_parallax(warnings, homography, pairs, a.view(), b.view(), {});
  return warnings;
}

TEST(SeenParallax, IsNoneWhereTheImagesAgree) {
  const Image image = images::blobs(400, 300, PixelType::u8, 3);
  EXPECT_TRUE(warnings_with(image, image).empty());
}

TEST(SeenParallax, StaysWhereTheyShowOtherThings) {
  EXPECT_EQ(warnings_with(images::noise(400, 300), images::blobs(400, 300, PixelType::u8, 3)).size(), 1u);
}

TEST(SeenParallax, LeavesOtherWarnings) {
  const Image image = images::blobs(400, 300, PixelType::u8, 3);
  Warnings warnings{{AlignmentWarning::Kind::uncertain, "so"}};
  keep_seen_parallax(warnings, {}, {}, image.view(), image.view(), {});
  EXPECT_EQ(warnings.size(), 1u);
}

}  // namespace
}  // namespace octavo
