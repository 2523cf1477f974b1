#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "engine/device/cpu_isa.h"
#include "octavo/error.h"
#include "octavo/video/copy_segment.h"
#include "video/signature/false_alarms.h"
#include "video/signature/frame_matches.h"
#include "video/signature/made_clips.h"

namespace octavo {
namespace {

TEST(FrameMatches, FindTheSimilarity) {
  const MadeScene scene(1);
  const FrameSignature a = scene.frame(10);
  const MadeCopy copy{.scale = 0.5, .turn = 32, .tx = 300, .ty = 20};
  const FrameSignature b = copied(a, copy, 2);
  const FrameMatch match = match_frames(a, b);
  EXPECT_GT(match.inliers, 60);
  EXPECT_NEAR(match.b_from_a.a, 0.5 * std::cos(0.785398), 0.01);
  EXPECT_NEAR(match.b_from_a.b, 0.5 * std::sin(0.785398), 0.01);
  EXPECT_NEAR(match.b_from_a.tx, 300, 2);
  EXPECT_NEAR(match.b_from_a.ty, 20, 2);
  EXPECT_GT(match.spread, 0.5);
  EXPECT_GT(match.significance, 50);
}

TEST(FrameMatches, FindTheStretch) {
  const FrameSignature a = MadeScene(1).frame(10);
  for (const double stretch : {0.55, 0.6, 0.75, 0.85, 1.2, 1.35, 1.5, 1.8}) {
    const MadeCopy copy{.scale = 0.5, .stretch = stretch, .turn = 8, .tx = 100, .ty = 20};
    const FrameMatch match = match_frames(a, copied(a, copy, 2));
    EXPECT_GT(match.inliers, 60) << stretch;
    EXPECT_NEAR(match.b_from_a.stretch, stretch, 0.02 * stretch);
    EXPECT_NEAR(match.b_from_a.a, 0.5 * std::cos(0.19635), 0.01) << stretch;
    EXPECT_NEAR(match.b_from_a.b, 0.5 * std::sin(0.19635), 0.01) << stretch;
    EXPECT_NEAR(match.b_from_a.tx, 100, 2) << stretch;
    EXPECT_NEAR(match.b_from_a.ty, 20, 2) << stretch;
    EXPECT_GT(match.spread, 0.5) << stretch;
  }
  EXPECT_EQ(match_frames(a, copied(a, {.scale = 0.5}, 2)).b_from_a.stretch, 1);
}

TEST(FrameMatches, UnrelatedFramesDoNotMatch) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const FrameSignature a = MadeScene(2 * seed).frame(10), b = MadeScene(2 * seed + 1).frame(10);
    EXPECT_LE(match_frames(a, b).significance, 0);
  }
}

TEST(FrameMatches, ALogoIsNotSpread) {
  FrameSignature a = MadeScene(1).frame(10), b = MadeScene(2).frame(10);
  FrameSignature logo = MadeScene(3).frame(10);
  logo = copied(logo, {.scale = 0.12, .tx = 520, .ty = 20, .unrelated = 0}, 4);
  a.features.insert(a.features.end(), logo.features.begin(), logo.features.end());
  b.features.insert(b.features.end(), logo.features.begin(), logo.features.end());
  const FrameMatch match = match_frames(a, b);
  EXPECT_GT(match.inliers, 40);
  EXPECT_LT(match.spread, 0.05);
}

TEST(FrameMatches, FramesWithoutFeatures) {
  const FrameSignature none{.width = 640, .height = 360}, some = MadeScene(1).frame(10);
  EXPECT_EQ(match_frames(none, some), FrameMatch());
  EXPECT_EQ(match_frames(some, none), FrameMatch());
}

TEST(FrameMatches, PairsAreMutualAndNear) {
  const FrameSignature a = MadeScene(1).frame(10), b = copied(a, {}, 2);
  const std::vector<FeaturePair> pairs = near_pairs(a, b, find_isa("auto"));
  ASSERT_GT(pairs.size(), 50U);
  for (const FeaturePair& pair : pairs) {
    for (const SignatureFeature& feature : b.features) {
      EXPECT_GE(hamming_distance(a.features[pair.a].code, feature.code), pair.distance);
    }
    for (const SignatureFeature& feature : a.features) {
      EXPECT_GE(hamming_distance(feature.code, b.features[pair.b].code), pair.distance);
    }
  }
}

TEST(FrameMatches, AreTheSameWithEveryInstructionSet) {
  const FrameSignature a = MadeScene(1).frame(10), b = copied(a, {.scale = 0.7, .turn = 20}, 2);
  const FrameMatch expected = match_frames(a, b);
  for (const Isa& isa : supported_isas()) EXPECT_EQ(match_frames(a, b, isa.name), expected) << isa.name;
  EXPECT_THROW(match_frames(a, b, "abacus"), Error);
}

TEST(FalseAlarms, AreThoseOfTheFormula) {
  // n = 10, k = 4: 8 numbers, C(10, 4) = 210 choices, C(4, 2) = 6 pairs, chance².
  EXPECT_NEAR(significance(4, 10, 0.001), -std::log10(8 * 210 * 6 * 1e-6), 1e-12);
  EXPECT_NEAR(significance_of_known(3, 10, 0.001), -std::log10(120 * 1e-9), 1e-12);
  EXPECT_EQ(significance(2, 10, 0.001), 0);
  // With three pairs: 7 numbers, C(10, 4) choices, C(4, 3) = 4 samples, chance once.
  EXPECT_NEAR(significance(4, 10, 0.001, 3), -std::log10(7 * 210 * 4 * 1e-3), 1e-12);
  EXPECT_EQ(significance(3, 10, 0.001, 3), 0);
}

TEST(FalseAlarms, AreThoseOfTheFormulaForManyMatches) {
  const auto log10_binomial = [](double n, double k) {
    return (std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1)) / std::log(10);
  };
  for (const int matches : {4096, 4097, 8000, 65535}) {
    const double choices = log10_binomial(matches, 20);
    EXPECT_NEAR(significance(20, matches, 0.001), 18 * 3 - std::log10((matches - 2) * 190.0) - choices, 1e-6);
    EXPECT_NEAR(significance_of_known(20, matches, 0.001), 20 * 3 - choices, 1e-6);
  }
}

}  // namespace
}  // namespace octavo
