// Motion in frames of fades.

#include "video/signature/faded_frames.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace octavo {
namespace {

constexpr std::size_t cell_count = 120;

// A scene of fixed grey values in which something bright passes, at a brightness; `start`: where it begins.
std::vector<FrameCells> shown(double start, bool fades) {
  std::vector<FrameCells> frames;
  for (int k = 0; k < 25; ++k) {
    FrameCells frame{k / 25.0, (k + 1) / 25.0, {}};
    for (std::size_t p = 0; p < cell_count; ++p) {
      const double scene = 90 + 50 * std::sin(1.7 * static_cast<double>(p));
      const double passes = 60 * std::exp(-std::pow((static_cast<double>(p) - start - 2 * k) / 4, 2));
      frame.values.push_back(static_cast<float>((fades ? (k + 1) / 25.0 : 1.0) * (scene + passes)));
    }
    frames.push_back(std::move(frame));
  }
  return frames;
}

// The correlation in time of two clips.
double likeness(const std::vector<FrameCells>& a, const std::vector<FrameCells>& b) {
  FramePairs pairs;
  for (std::size_t k = 0; k < a.size(); ++k) pairs.emplace_back(&a[k], &b[k]);
  std::vector<std::size_t> places(cell_count);
  std::iota(places.begin(), places.end(), std::size_t{0});
  const FadedFrames frames(pairs, places);
  return products_in_time(frames.pairs(), std::vector<std::size_t>(cell_count, 0), places)[0].correlation();
}

TEST(FadedFrames, MoveLikeTheSceneWithoutTheFade) {
  EXPECT_GT(likeness(shown(10, true), shown(10, false)), 0.95);
  EXPECT_GT(likeness(shown(10, false), shown(10, true)), 0.95);
  EXPECT_GT(likeness(shown(10, true), shown(10, true)), 0.95);
}

TEST(FadedFrames, DoNotMoveAlikeByTheirFadesAlone) {
  EXPECT_LT(likeness(shown(10, true), shown(60, true)), 0.3);
  EXPECT_LT(likeness(shown(10, true), shown(60, false)), 0.3);
}

TEST(FadedFrames, AreTheGivenOnesWithoutAFade) {
  const std::vector<FrameCells> a = shown(10, false), b = shown(12, false);
  const FramePairs given{{&a[0], &b[0]}, {&a[1], &b[1]}};
  EXPECT_EQ(FadedFrames(given, {0, 1, 2, 3, 4, 5}).pairs(), given);
}

}  // namespace
}  // namespace octavo
