#include <gtest/gtest.h>

#include <functional>

#include "octavo/error.h"
#include "octavo/image.h"
#include "video/frames/content.h"
#include "video/frames/frame_runs.h"

namespace octavo {
namespace {

Image frame(int width, int height, const std::function<int(int x, int y)>& grey) {
  Image made(width, height, 1, PixelType::u8);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) made.row(y)[x] = static_cast<std::byte>(grey(x, y));
  }
  return made;
}

int busy(int x, int y) { return 60 + (x * 37 + y * 59) % 160; }

TEST(Junk, NamesBlackAndFlat) {
  EXPECT_EQ(content_of(frame(64, 48, [](int, int) { return 4; }).view()).junk, Junk::black);
  EXPECT_EQ(content_of(frame(64, 48, [](int x, int) { return x == 0 ? 255 : 25; }).view()).junk, Junk::black);
  EXPECT_EQ(content_of(frame(64, 48, [](int x, int) { return x < 2 ? 255 : 0; }).view()).junk, Junk::none);
  EXPECT_EQ(content_of(frame(64, 48, [](int x, int y) { return 200 + (x + y) % 16; }).view()).junk, Junk::flat);
  EXPECT_EQ(content_of(frame(64, 48, [](int x, int y) { return 200 + (x + y) % 18; }).view()).junk, Junk::none);
  EXPECT_EQ(content_of(frame(64, 48, busy).view()).junk, Junk::none);
  EXPECT_EQ(content_of(frame(1, 1, busy).view()).junk, Junk::flat);
  // Stored luma: black is 16.
  EXPECT_EQ(content_of(frame(64, 48, [](int, int) { return 40; }).view(), 16).junk, Junk::black);
}

TEST(Junk, FindsTheActiveImage) {
  const PixelRectangle inside{8, 12, 80, 41};
  const auto barred = [&](int x, int y) {
    const bool is_in = x >= inside.x && x < inside.x + inside.width && y >= inside.y && y < inside.y + inside.height;
    return is_in ? busy(x, y) : (x * y) % 7;  // bars have noise
  };
  EXPECT_EQ(content_of(frame(100, 64, barred).view()).active, inside);
  EXPECT_EQ(content_of(frame(100, 64, busy).view()).active, (PixelRectangle{0, 0, 100, 64}));
  EXPECT_EQ(content_of(frame(100, 64, [](int, int) { return 0; }).view()).active, (PixelRectangle{0, 0, 100, 64}));
  // A row with a bright mark is no bar.
  const auto marked = [&](int x, int y) { return y == 3 && x > 40 && x < 60 ? 250 : barred(x, y); };
  EXPECT_EQ(content_of(frame(100, 64, marked).view()).active.y, 3);
}

TEST(FrameRuns, CountsRepeats) {
  FrameRuns runs;
  const Image a = frame(40, 24, busy), b = frame(40, 24, [](int x, int y) { return busy(x + 1, y); });
  const Image a_with_noise = frame(40, 24, [](int x, int y) { return busy(x, y) + (x + y) % 4; });
  EXPECT_FALSE(runs.add(a.view(), 0, 10));
  EXPECT_TRUE(runs.add(a_with_noise.view(), 5, 10.5));
  EXPECT_TRUE(runs.add(a.view(), 10, 11));
  EXPECT_FALSE(runs.add(b.view(), 15, 11.5));
  const std::vector<FrameRun> ended = runs.take_ended();
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].first, 0);
  EXPECT_EQ(ended[0].last, 10);
  EXPECT_EQ(ended[0].frames, 3);
  EXPECT_EQ(ended[0].begin, 10);
  EXPECT_EQ(ended[0].end, 11.5);
  EXPECT_TRUE(runs.take_ended().empty());
  EXPECT_TRUE(runs.add(b.view(), 20, 12));
  runs.finish();
  ASSERT_EQ(runs.take_ended().front().end, 12);
}

TEST(FrameRuns, SlowChangesEndARun) {
  FrameRuns runs;
  int repeats = 0;
  for (int i = 0; i < 30; ++i) {
    const Image fading = frame(32, 32, [&](int x, int y) { return busy(x, y) + i; });
    repeats += runs.add(fading.view(), i, i) ? 1 : 0;
  }
  EXPECT_EQ(repeats, 25);  // each run holds the frames that differ by at most 5 from its first
}

TEST(FrameRuns, SmallMovementsCount) {
  FrameRuns runs;
  runs.add(frame(64, 64, busy).view(), 0, 0);
  EXPECT_FALSE(runs.add(frame(64, 64, [](int x, int y) { return x < 8 && y < 8 ? 0 : busy(x, y); }).view(), 1, 1));
  EXPECT_FALSE(runs.add(frame(32, 64, busy).view(), 2, 2)) << "another size";
}

TEST(Junk, RefusesOtherImages) {
  EXPECT_THROW(content_of(Image(4, 4, 3, PixelType::u8).view()), Error);
  EXPECT_THROW(FrameRuns().add(Image(4, 4, 1, PixelType::f32).view(), 0, 0), Error);
  EXPECT_THROW(content_of({}), Error);
}

}  // namespace
}  // namespace octavo
