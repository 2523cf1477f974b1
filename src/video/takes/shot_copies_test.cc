// Exact delays of shots, of made clip files in which something moves before a still ground.

#include "video/takes/shot_copies.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"

namespace octavo {
namespace {

constexpr int width = 320, height = 240, rate = 25;
constexpr double seconds = 6;

// Grey blocks of 8 pixels, and a bright one of 60 pixels at a place.
std::string seen_with(double x, double y) {
  static const std::vector<char> blocks = [] {
    std::mt19937 random(7);
    std::vector<char> grey(std::size_t{width / 8} * (height / 8));
    for (char& one : grey) one = static_cast<char>(60 + random() % 100);
    return grey;
  }();
  std::string image;
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const bool is_mover = std::abs(column - x) < 30 && std::abs(row - y) < 30;
      image += is_mover ? static_cast<char>(200) : blocks[std::size_t(row / 8) * (width / 8) + column / 8];
    }
  }
  return image;
}

// A walk that never repeats, at a moment. [pixel]
std::string walk_at(double time) {
  return seen_with(160 + 70 * std::sin(1.3 * time) + 40 * std::sin(3.1 * time), 120 + 60 * std::sin(2.1 * time));
}

TakeClip written(const TestFolder& folder, const char* name, const std::function<std::string(double)>& shown_at) {
  std::string clip = "YUV4MPEG2 W320 H240 F25:1 Ip Cmono\n";
  for (int i = 0; i < seconds * rate; ++i) clip += "FRAME\n" + shown_at(static_cast<double>(i) / rate);
  const std::filesystem::path file = folder.write(name, clip);
  AffinityOptions options;
  return {ClipFrameReader(options, {.name = "cpu"}).read(file, {}, {}), file, {}};
}

std::optional<double> delay_of(const TakeClip& take, const TakeClip& reference) {
  const Shot whole{.clip = 0, .in = 0, .out = seconds};
  const ShotFrames a = frames_of(whole, take), b = frames_of(whole, reference);
  const AlikeShots shots{&a, &b, {a.count() / 2, b.count() / 2}};
  return exact_delays(std::span(&shots, 1), "auto").front();
}

TEST(ExactDelay, IsToldToTheFrameByWhatMoves) {
  const TestFolder folder;
  const TakeClip reference = written(folder, "a.y4m", walk_at);
  const TakeClip take = written(folder, "b.y4m", [](double t) { return walk_at(t + 1.36); });
  const std::optional<double> delay = delay_of(take, reference);
  ASSERT_TRUE(delay.has_value());
  EXPECT_NEAR(*delay, 1.36, 0.5 / rate);
}

TEST(ExactDelay, IsNotToldByOtherMotionAtTheSamePlace) {
  const TestFolder folder;
  const TakeClip reference = written(folder, "a.y4m", walk_at);
  const TakeClip other =
      written(folder, "b.y4m", [](double t) { return seen_with(60 + 35 * t, 180 - 60 * std::sin(1.7 * t)); });
  EXPECT_FALSE(delay_of(other, reference).has_value());
}

TEST(ExactDelay, IsNotToldWhereNothingMoves) {
  const TestFolder folder;
  const TakeClip still = written(folder, "a.y4m", [](double) { return walk_at(0); });
  EXPECT_FALSE(delay_of(still, still).has_value());
}

TEST(ExactDelay, NeedsTheFiles) {
  const TestFolder folder;
  TakeClip clip = written(folder, "a.y4m", walk_at);
  clip.file.clear();
  EXPECT_FALSE(delay_of(clip, clip).has_value());
}

}  // namespace
}  // namespace octavo
