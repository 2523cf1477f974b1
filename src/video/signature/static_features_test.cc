#include "video/signature/static_features.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "video/signature/made_clips.h"

namespace octavo {
namespace {

constexpr double fps = 2;

constexpr std::uint8_t scale_of_logo = 100;  // none of a scene has it

// A block of 6×5 features at the right border.
std::vector<SignatureFeature> a_logo() {
  std::mt19937_64 random(8);
  std::vector<SignatureFeature> logo;
  for (int n = 0; n < 30; ++n) {
    SignatureFeature feature{.scale = scale_of_logo, .code = {random(), random()}};
    feature.x = static_cast<std::uint16_t>(64 * (560 + n % 6 * 12));
    feature.y = static_cast<std::uint16_t>(64 * (20 + n / 6 * 12));
    feature.word = static_cast<std::uint16_t>(feature.code[1]);
    logo.push_back(feature);
  }
  return logo;
}

// Frames of a scene that moves, with the logo over it from `begin` to `end` seconds. A further word counts the
// features.
std::vector<FrameSignature> with_logo(double seconds, double begin, double end, int features = 150) {
  const MadeScene scene(7, seconds, features);
  std::vector<FrameSignature> frames;
  for (int n = 0; n < seconds * fps; ++n) {
    const double at = n / fps;
    FrameSignature frame = scene.frame(at);
    frame.seconds = at;
    frame.until = at + 1 / fps;
    if (at >= begin && at < end) {
      const std::vector<SignatureFeature> logo = a_logo();
      frame.features.insert(frame.features.begin() + 2, logo.begin(), logo.end());
    }
    for (const SignatureFeature& feature : frame.features)
      frame.further_words.push_back(static_cast<std::uint16_t>(feature.word + 1));
    frames.push_back(std::move(frame));
  }
  return frames;
}

// No feature of the logo is left, few of the scene are lost, and each has its own further word.
void expect_no_logo(const std::vector<FrameSignature>& found, const std::vector<FrameSignature>& without) {
  ASSERT_EQ(found.size(), without.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::vector<SignatureFeature>& features = found[i].features;
    EXPECT_LE(features.size(), without[i].features.size());
    EXPECT_GE(features.size(), 0.9 * static_cast<double>(without[i].features.size()));
    ASSERT_EQ(features.size(), found[i].further_words.size());
    for (std::size_t k = 0; k < features.size(); ++k) {
      EXPECT_NE(features[k].scale, scale_of_logo);
      EXPECT_EQ(found[i].further_words[k], static_cast<std::uint16_t>(features[k].word + 1));
    }
  }
}

std::vector<FrameSignature> moving(const std::vector<FrameSignature>& frames) {
  StaticFeatures moving;
  std::vector<FrameSignature> result;
  const auto take = [&] {
    while (std::optional<FrameSignature> frame = moving.take()) result.push_back(std::move(*frame));
  };
  for (const FrameSignature& frame : frames) {
    moving.add(frame);
    take();
  }
  moving.finish();
  take();
  return result;
}

TEST(StaticFeatures, ALogoOverAMovingImageIsTakenOut) {
  expect_no_logo(moving(with_logo(30, 8, 20)), with_logo(30, 0, 0));
}

TEST(StaticFeatures, WhatStandsForLessThanTenSecondsStays) {
  const std::vector<FrameSignature> with = with_logo(30, 8, 17);
  EXPECT_TRUE(moving(with) == with);
}

TEST(StaticFeatures, AStillCameraKeepsItsFeatures) {
  const std::vector<FrameSignature> with = with_logo(30, 0, 30, 8);
  ASSERT_LT(with[20].features.size(), 40u) << "more stand than move";
  EXPECT_TRUE(moving(with) == with);
}

TEST(StaticFeatures, AStillMiddleKeepsTheFeatures) {
  std::vector<FrameSignature> with = with_logo(30, 0, 30);
  for (FrameSignature& frame : with) {
    for (SignatureFeature& feature : frame.features) {
      if (feature.scale == scale_of_logo) feature.x -= 64 * 300, feature.y += 64 * 120;
    }
  }
  EXPECT_TRUE(moving(with) == with);
}

TEST(StaticFeatures, AFlashDoesNotHideALogo) {
  std::vector<FrameSignature> with = with_logo(30, 0, 30), without = with_logo(30, 0, 0);
  for (auto* frames : {&with, &without}) {
    (*frames)[15].features.clear();
    (*frames)[15].further_words.clear();
  }
  expect_no_logo(moving(with), without);
}

}  // namespace
}  // namespace octavo
