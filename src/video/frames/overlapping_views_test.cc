#include "video/frames/overlapping_views.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace octavo::video {
namespace {

// A camera that moves by these steps, in widths of a frame.
std::vector<SeenView> shot_of(const std::vector<double>& steps) {
  std::vector<SeenView> shot{{.sharpness = 1}};
  for (const double step : steps) {
    shot.push_back({.seconds = shot.back().seconds + 0.04, .x = shot.back().x + step, .sharpness = 1});
  }
  return shot;
}

using Indices = std::vector<std::size_t>;

TEST(ChooseViews, OverlapByHalfToSeventyPercentAndReachTheEnds) {
  for (const double step : {0.003, 0.02, 0.11}) {
    const std::vector<SeenView> shot = shot_of(std::vector<double>(static_cast<std::size_t>(4 / step), step));
    const Indices chosen = choose_views(shot);
    EXPECT_EQ(chosen.front(), 0U);
    EXPECT_EQ(chosen.back(), shot.size() - 1);
    for (std::size_t i = 1; i + 1 < chosen.size(); ++i) {
      const double moved = shot[chosen[i]].x - shot[chosen[i - 1]].x;
      EXPECT_GE(moved, 0.29);
      EXPECT_LE(moved, 0.51);
    }
  }
}

TEST(ChooseViews, TakesTheSharpestOfThoseNear) {
  std::vector<SeenView> shot = shot_of(std::vector<double>(100, 0.01));
  shot[37].sharpness = 3;
  shot[33].sharpness = 2;
  const Indices chosen = choose_views(shot);
  EXPECT_EQ(chosen[1], 37U);
}

TEST(ChooseViews, OfAStillCameraThereIsOne) {
  std::vector<SeenView> shot = shot_of(std::vector<double>(100, 0));
  shot[60].sharpness = 2;
  EXPECT_EQ(choose_views(shot), Indices{60});
  EXPECT_TRUE(choose_views({}).empty());
}

TEST(ChooseViews, WhatWasSeenIsNotTakenTwice) {
  std::vector<double> steps(50, 0.02);
  steps.resize(100, -0.02);  // and back
  const Indices chosen = choose_views(shot_of(steps));
  EXPECT_LE(chosen.size(), 4U);
  for (const std::size_t i : chosen) EXPECT_LE(i, 50U);
}

TEST(ChooseViews, WhatIsShownAtTheEdgesOfASmallMoveIsTaken) {
  std::vector<SeenView> shot = shot_of(std::vector<double>(30, 0.005));
  for (SeenView& view : shot) view.y = 0.001;  // it trembles
  shot[11].y = -0.001, shot[17].y = 0.1;
  EXPECT_EQ(choose_views(shot), (Indices{0, 17, 30}));
}

TEST(ChooseViews, OfAFastCameraAreAllThatOverlapLittle) {
  EXPECT_EQ(choose_views(shot_of({0.6, 0.6, 0.6})), (Indices{0, 1, 2, 3}));
}

}  // namespace
}  // namespace octavo::video
