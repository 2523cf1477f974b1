#include "video/takes/cut_finder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "octavo/image.h"

namespace octavo {
namespace {

// A large scene of random blocks; a camera sees 160×120 pixels of it.
class DrawnScene {
 public:
  explicit DrawnScene(unsigned seed) : blocks_(std::size_t{side} * side) {
    std::mt19937 random(seed);
    for (int& block : blocks_) block = 40 + static_cast<int>(random() % 170);
  }
  [[nodiscard]] Image seen(double x, double y, double gain = 1) const {
    Image image(160, 120, 1, PixelType::u8);
    for (int row = 0; row < 120; ++row) {
      for (int column = 0; column < 160; ++column) {
        const auto block = [&](double at) { return static_cast<std::size_t>(at / 16) % side; };
        const int grey = blocks_[block(y + row) * side + block(x + column)];
        image.row(row)[column] = static_cast<std::byte>(std::clamp(std::lround(gain * grey), 0L, 255L));
      }
    }
    return image;
  }

 private:
  static constexpr int side = 64;
  std::vector<int> blocks_;
};

// Adds frames at 25 a second.
class Clip {
 public:
  void add(const Image& frame) { finder_.add(frame.view(), count_++ / 25.0); }
  ClipCuts cuts() { return finder_.finish(count_ / 25.0); }

 private:
  CutFinder finder_;
  int count_ = 0;
};

TEST(CutFinder, FindsACutToTheFrame) {
  const DrawnScene a(1), b(2);
  Clip clip;
  for (int i = 0; i < 40; ++i) clip.add(a.seen(i, 0));
  for (int i = 0; i < 40; ++i) clip.add(b.seen(i, 0));
  const ClipCuts found = clip.cuts();
  EXPECT_EQ(found.cuts, std::vector{40 / 25.0});
  EXPECT_EQ(found.seconds, 80 / 25.0);
  EXPECT_TRUE(found.junk.empty());
}

TEST(CutFinder, FindsTheCutToAnotherTakeOfTheSameScene) {
  const DrawnScene a(1);
  Clip clip;
  for (int i = 0; i < 40; ++i) clip.add(a.seen(0.5 * i, 0));
  for (int i = 0; i < 40; ++i) clip.add(a.seen(0.5 * i, 12));
  EXPECT_EQ(clip.cuts().cuts, std::vector{40 / 25.0});
}

TEST(CutFinder, PassesPansShakesFlashesAndLight) {
  const DrawnScene a(1);
  Clip pan, shake, flash, light;
  for (int i = 0; i < 80; ++i) {
    pan.add(a.seen(8 * i, 0));
    shake.add(a.seen(20 + 7 * std::sin(i), 20 + 7 * std::cos(1.7 * i)));
    flash.add(i == 40 ? a.seen(400, 400, 1.3) : a.seen(i, 0));
    light.add(a.seen(i, 0, i < 40 ? 1 : 0.6));
  }
  EXPECT_TRUE(pan.cuts().cuts.empty());
  EXPECT_TRUE(shake.cuts().cuts.empty());
  EXPECT_TRUE(flash.cuts().cuts.empty());
  EXPECT_TRUE(light.cuts().cuts.empty());
}

TEST(CutFinder, NamesRunsOfJunk) {
  const DrawnScene a(1);
  Clip clip;
  for (int i = 0; i < 30; ++i) clip.add(a.seen(i, 0));
  for (int i = 0; i < 10; ++i) clip.add(a.seen(i, 0, 0));
  for (int i = 0; i < 30; ++i) clip.add(a.seen(i, 0));
  EXPECT_EQ(clip.cuts().junk, (std::vector<JunkRun>{{30 / 25.0, 40 / 25.0, Junk::black}}));
}

TEST(CutFinder, OfNoFramesIsEmpty) {
  EXPECT_TRUE(Clip().cuts().cuts.empty());
  Clip one;
  one.add(DrawnScene(1).seen(0, 0));
  EXPECT_TRUE(one.cuts().cuts.empty());
}

}  // namespace
}  // namespace octavo
