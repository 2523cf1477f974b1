// Loops of pairs: what they confirm, and what they contradict.

#include "multiview/mosaic/loops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "multiview/mosaic/pair_graph.h"

namespace octavo::mosaic {
namespace {

constexpr ImageSize size{400, 300};

// A pair whose second image is shifted by so many pixels against the first.
VerifiedPair shifted(int a, int b, double x, double y, int inliers = 50) {
  VerifiedPair pair;
  pair.report = {.a = a, .b = b, .inliers = inliers, .confidence = 2, .status = MosaicPairStatus::used};
  pair.b_from_a = {1, 0, -x, 0, 1, -y, 0, 0, 1};
  const cv::Matx33d normalised = normalised_from_pixel(size);
  const auto place = [&](double u, double v) {
    const cv::Vec3d p = normalised * cv::Vec3d(u, v, 1);
    return cv::Point2d(p[0], p[1]);
  };
  for (int i = 0; i < 9; ++i) {
    const double u = 150 + 30 * (i % 3), v = 100 + 30 * (i / 3);
    pair.inliers.in_a.push_back(place(u, v));
    pair.inliers.in_b.push_back(place(u - x, v - y));
  }
  return pair;
}

std::vector<ImageSize> sizes(int images) { return std::vector<ImageSize>(static_cast<std::size_t>(images), size); }

TEST(Loops, ConfirmAGridWithErrorsOfPixels) {
  // 2 × 3 images without diagonal pairs: loops of four.
  const std::vector<VerifiedPair> pairs{shifted(0, 1, 203, 0), shifted(0, 3, 0, 150),  shifted(1, 2, 200, -2),
                                        shifted(1, 4, 1, 151), shifted(2, 5, -2, 150), shifted(3, 4, 198, 1),
                                        shifted(4, 5, 201, 0)};
  EXPECT_TRUE(contradicted_by_loops(pairs, sizes(6)).empty());
}

TEST(Loops, TellTheWeakestOfAGridThatOneCannotClose) {
  std::vector<VerifiedPair> pairs{shifted(0, 1, 200, 0), shifted(0, 3, 0, 150),     shifted(1, 2, 200, 0),
                                  shifted(1, 4, 0, 150), shifted(2, 5, 5, -60, 80), shifted(3, 4, 200, 0),
                                  shifted(4, 5, 200, 0)};
  // (1, 2) and (4, 5) are in no other loop: any of the three may be wrong, and the weakest is left out.
  pairs[4].report.inliers = 12;
  EXPECT_EQ(contradicted_by_loops(pairs, sizes(6)), std::vector<std::size_t>{4});
  // Pairs that another loop confirms are not blamed, though they are weaker.
  pairs[4].report.inliers = 80;
  pairs[3].report.inliers = 9;
  EXPECT_EQ(contradicted_by_loops(pairs, sizes(6)), std::vector<std::size_t>{2});
  // What is set by hand stays.
  pairs[2].report.by_hand = true;
  EXPECT_EQ(contradicted_by_loops(pairs, sizes(6)), std::vector<std::size_t>{6});
}

TEST(Loops, OfThreeDecideWhereThereAreSome) {
  std::vector<VerifiedPair> pairs{shifted(0, 1, 100, 0), shifted(0, 2, 200, 0), shifted(0, 3, 300, 0),
                                  shifted(1, 2, 100, 0), shifted(1, 3, 60, 90), shifted(2, 3, 100, 0)};
  pairs[4].report.inliers = 200;
  EXPECT_EQ(contradicted_by_loops(pairs, sizes(4)), std::vector<std::size_t>{4});
}

TEST(Loops, KeepAllImagesConnected) {
  // No loop closes: of each one pair is left out.
  const std::vector<VerifiedPair> pairs{shifted(0, 1, 100, 0, 30), shifted(0, 2, 10, 150, 40),
                                        shifted(1, 2, 90, 90, 50), shifted(1, 3, 20, 100, 60),
                                        shifted(2, 3, 150, 10, 70)};
  const std::vector<std::size_t> wrong = contradicted_by_loops(pairs, sizes(4));
  EXPECT_FALSE(wrong.empty());
  std::vector<VerifiedPair> left = pairs;
  for (const std::size_t i : wrong) left[i].report.status = MosaicPairStatus::inconsistent;
  EXPECT_EQ(std::ranges::count(groups(4, left), 0), 4);
}

TEST(Loops, BlameNobodyForANarrowOverlap) {
  // The homography of points on one line says little of what is beside the line: there this one is 70 pixels off.
  VerifiedPair narrow = shifted(0, 2, 0, 150);
  const double line = 225, tilt = 3e-3;
  const cv::Matx33d normalised = normalised_from_pixel(size);
  narrow.b_from_a = narrow.b_from_a * cv::Matx33d(1, 0, 0, 0, 1, 0, 0, tilt, 1 - tilt * line);
  narrow.inliers = {};
  for (int i = 0; i < 20; ++i) {
    const double u = 20.0 * i, v = line + i % 3 - 1;
    const cv::Vec3d a = normalised * cv::Vec3d(u, v, 1), b = normalised * cv::Vec3d(u, v - 150, 1);
    narrow.inliers.in_a.emplace_back(a[0], a[1]);
    narrow.inliers.in_b.emplace_back(b[0], b[1]);
  }
  std::vector<VerifiedPair> pairs{shifted(0, 1, 200, 0), narrow, shifted(1, 3, 0, 150), shifted(2, 3, 200, 0)};
  EXPECT_TRUE(contradicted_by_loops(pairs, sizes(4)).empty());
  // The same homography of points all over the overlap contradicts the others.
  for (std::size_t i = 0; i < narrow.inliers.in_a.size(); ++i) {
    const cv::Vec3d a =
        normalised * cv::Vec3d(20.0 * static_cast<double>(i), 150.0 + 15 * static_cast<double>(i % 10), 1);
    const cv::Vec3d b = normalised * narrow.b_from_a * normalised.inv() * a;
    pairs[1].inliers.in_a[i] = {a[0], a[1]};
    pairs[1].inliers.in_b[i] = {b[0] / b[2], b[1] / b[2]};
  }
  EXPECT_FALSE(contradicted_by_loops(pairs, sizes(4)).empty());
}

TEST(Loops, NeedAnother) {
  EXPECT_TRUE(contradicted_by_loops({shifted(0, 1, 100, 0), shifted(1, 2, 100, 0)}, sizes(3)).empty());
}

}  // namespace
}  // namespace octavo::mosaic
