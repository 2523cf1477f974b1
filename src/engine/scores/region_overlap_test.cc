// Correspondences of regions, on pairs that can be counted by hand, and against a comparison of all with all.

#include "engine/scores/region_overlap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "engine/scores/ellipse.h"
#include "octavo/pair_scores.h"

namespace octavo {
namespace {

constexpr ImageSize size{400, 400};
constexpr std::array<double, 9> same{1, 0, 0, 0, 1, 0, 0, 0, 1};

Features of(std::vector<Keypoint> keypoints) { return {.keypoints = std::move(keypoints), .descriptors = {}}; }

PairScores scores_of(const Features& a, const Features& b, const std::array<double, 9>& b_from_a = same) {
  return count_pair(a, b, {}, {}, TrueHomography{b_from_a}, size, size);
}

// The overlap error of two circles of radius 30 at a distance.
double error_at(double d) {
  const double r = 30, both = 2 * r * r * std::acos(d / (2 * r)) - d / 2 * std::sqrt(4 * r * r - d * d);
  return 1 - both / (2 * std::numbers::pi * r * r - both);
}

TEST(Regions, AreComparedAtARadiusOf30) {
  // The scale of the circles does not matter, only their distance.
  for (const float scale : {1.0f, 30.0f}) {
    for (const double d : {1.0, 4.0, 8.0, 11.0, 13.0, 16.0, 19.0, 22.0}) {
      const PairScores scores = scores_of(of({{.x = 100, .y = 100, .scale = scale}}),
                                          of({{.x = static_cast<float>(100 + d), .y = 100, .scale = scale}}));
      for (std::size_t i = 0; i < overlap_errors.size(); ++i) {
        EXPECT_EQ(scores.corresponding_regions[i], error_at(d) <= overlap_errors[i] ? 1 : 0) << d << ' ' << i;
      }
    }
  }
}

TEST(Regions, OfDifferentSizesOverlapByTheirAreas) {
  // The error is 1 − 1 / 1.3² = 0.41.
  const PairScores scores =
      scores_of(of({{.x = 100, .y = 100, .scale = 2}}), of({{.x = 100, .y = 100, .scale = 2.6f}}));
  EXPECT_EQ(scores.corresponding_regions, (OverlapCounts{0, 0, 0, 0, 1, 1}));
}

TEST(Regions, OfOnePlaceAndScaleAreOne) {
  const PairScores scores = scores_of(of({{.x = 50, .y = 50, .scale = 2, .orientation = 1},
                                          {.x = 50, .y = 50, .scale = 2, .orientation = 2},
                                          {.x = 50, .y = 50, .scale = 3},
                                          {.x = 70, .y = 50, .scale = 0}}),
                                      of({{.x = 50, .y = 50, .scale = 2}}));
  EXPECT_EQ(scores.regions_a, 2);
  EXPECT_EQ(scores.regions_b, 1);
  EXPECT_EQ(scores.corresponding_regions[usual_overlap], 1);
  EXPECT_DOUBLE_EQ(region_repeatability(scores)[usual_overlap], 1);
}

TEST(Regions, CorrespondOneToOneByLeastError) {
  // The first of A is nearest to the first of B, but that one is nearer to the second of A.
  const PairScores scores = scores_of(of({{.x = 100, .y = 100, .scale = 2}, {.x = 103, .y = 100, .scale = 2}}),
                                      of({{.x = 104, .y = 100, .scale = 2}, {.x = 90, .y = 100, .scale = 2}}));
  EXPECT_EQ(scores.corresponding_regions, (OverlapCounts{1, 1, 1, 2, 2, 2}));
}

TEST(Regions, AreMappedByTheHomography) {
  // B is A stretched by 2 in x and moved. A circle becomes an ellipse; B's circle of the same area does not fit it.
  const std::array<double, 9> stretched{2, 0, -100, 0, 1, 5, 0, 0, 1};
  const Features a = of({{.x = 100, .y = 100, .scale = 3}});
  const auto b = [](Keypoint k) {
    k.x = 100, k.y = 105, k.scale = 3 * std::numbers::sqrt2_v<float>;
    return of({k});
  };
  const PairScores ellipse = scores_of(a, b({.a11 = 6, .a22 = 3}), stretched);
  EXPECT_EQ(ellipse.corresponding_regions[0], 1);
  const PairScores turned = scores_of(a, b({.a12 = 6, .a21 = 3}), stretched);  // the same ellipse, another frame
  EXPECT_EQ(turned.corresponding_regions[0], 1);
  const PairScores plain = scores_of(a, b({}), stretched);
  EXPECT_EQ(plain.corresponding_regions, (OverlapCounts{0, 0, 0, 1, 1, 1}));  // 1 − x/(2 − x), x = 4/π·atan(√½)
}

TEST(Regions, OfThePerspectiveAreMappedByItsTangent) {
  // w = 1 + x / 1000: at (200, 150) the derivative is (1.2 − 0.2, 0; −0.15, 1.2) / 1.2².
  const std::array<double, 9> view{1, 0, 0, 0, 1, 0, 1e-3, 0, 1};
  const float f = 3 / (1.2f * 1.2f);
  const Keypoint b{
      .x = 200 / 1.2f, .y = 125, .scale = f * std::sqrt(1.2f), .a11 = f, .a21 = -0.15f * f, .a22 = 1.2f * f};
  const PairScores scores = scores_of(of({{.x = 200, .y = 150, .scale = 3}}), of({b}), view);
  EXPECT_EQ(scores.corresponding_regions[0], 1);
}

TEST(Regions, CorrespondAsInAComparisonOfAllWithAll) {
  std::uint32_t state = 1;
  const auto number = [&](double low, double high) {
    return static_cast<float>(low + (state = state * 1664525 + 1013904223) / 4294967296.0 * (high - low));
  };
  const auto random = [&](int count) {
    std::vector<Keypoint> all;
    for (int i = 0; i < count; ++i) {
      Keypoint k{.x = number(0, 199), .y = number(0, 199), .scale = number(2, 5)};
      const float longer = number(1, 3), angle = number(0, 3), c = std::cos(angle), s = std::sin(angle);
      k.a11 = k.scale * longer * c, k.a12 = -k.scale / longer * s;
      k.a21 = k.scale * longer * s, k.a22 = k.scale / longer * c;
      all.push_back(k);
    }
    return of(all);
  };
  const Features a = random(150), b = random(170);
  struct Pair {
    double error;
    std::size_t i, j;
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      const auto ellipse = [&](const Keypoint& k) {
        evaluation::Ellipse e{{k.x, k.y}, affine_matrix(k)};
        for (double& element : e.matrix) element *= 30.0 / a.keypoints[i].scale;
        return e;
      };
      const evaluation::Ellipse one = ellipse(a.keypoints[i]), other = ellipse(b.keypoints[j]);
      const double both = evaluation::common_area(one, other);
      pairs.push_back({1 - both / (evaluation::area(one) + evaluation::area(other) - both), i, j});
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& one, const Pair& other) { return one.error < other.error; });
  OverlapCounts expected{};
  std::vector<bool> has_a(a.size()), has_b(b.size());
  for (const Pair& pair : pairs) {
    if (has_a[pair.i] || has_b[pair.j]) continue;
    has_a[pair.i] = has_b[pair.j] = true;
    for (std::size_t t = 0; t < overlap_errors.size(); ++t) expected[t] += pair.error <= overlap_errors[t] ? 1 : 0;
  }
  EXPECT_GT(expected.back(), 40);
  EXPECT_EQ(scores_of(a, b).corresponding_regions, expected);
}

TEST(Regions, BelongToHomographies) {
  const Correspondences known{.a = {{50, 50}}, .b = {{50, 50}}};
  const Features features = of({{.x = 50, .y = 50, .scale = 2}});
  const PairScores scores = count_pair(features, features, {}, {}, known, size, size);
  EXPECT_EQ(scores.regions_a, 0);
  EXPECT_EQ(scores.corresponding_regions, OverlapCounts{});
}

}  // namespace
}  // namespace octavo
