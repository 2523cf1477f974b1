#include "sift/pyramid_tasks.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace octavo {
namespace {

ScaleSpacePlan plan_of(int width, int height, int first_octave) {
  SiftOptions options;
  options.first_octave = first_octave;
  return plan_scale_space(width, height, options);
}

std::vector<OctaveLayout> layout_of(const ScaleSpacePlan& plan) {
  std::vector<OctaveLayout> layout;
  for (const Size& size : plan.octaves) {
    OctaveLayout o{};
    o.width = size.width;
    o.height = size.height;
    layout.push_back(o);
  }
  return layout;
}

// What a kernel of one group would do, which cannot wait for anything.
void expect_that_no_task_waits(int width, int height, int first_octave) {
  SCOPED_TRACE(std::to_string(width) + "×" + std::to_string(height) + " from octave " + std::to_string(first_octave));
  const ScaleSpacePlan plan = plan_of(width, height, first_octave);
  const std::vector<OctaveLayout> layout = layout_of(plan);
  const PyramidTasks tasks = plan_tasks(plan, layout);
  std::vector<int> done(static_cast<std::size_t>(tasks.counters));
  for (const PyramidTask& task : tasks.order) {
    for (int i = task.first_awaited; i <= task.last_awaited; ++i) {
      ASSERT_GE(i, 0);
      ASSERT_LT(i, tasks.counters);
      ASSERT_EQ(done[static_cast<std::size_t>(i)], task.awaited) << "octave " << task.octave << " level " << task.level;
    }
    if (task.counter >= 0) ++done[static_cast<std::size_t>(task.counter)];
  }
}

TEST(PyramidTasks, NoneWaitsForOneBehindIt) {
  for (const int first_octave : {-1, 0}) {
    expect_that_no_task_waits(1920, 1080, first_octave);
    expect_that_no_task_waits(641, 479, first_octave);
    expect_that_no_task_waits(33, 2000, first_octave);
    expect_that_no_task_waits(2000, 17, first_octave);
    expect_that_no_task_waits(13, 12, first_octave);
  }
}

TEST(PyramidTasks, CoverEveryPixelOfEveryImageOnce) {
  const ScaleSpacePlan plan = plan_of(700, 500, -1);
  const std::vector<OctaveLayout> layout = layout_of(plan);
  std::set<std::tuple<int, int, int, int>> seen;
  for (const PyramidTask& t : plan_tasks(plan, layout).order) {
    EXPECT_TRUE(seen.emplace(t.octave, t.level, t.tile_x, t.tile_y).second);
  }
  const auto pieces = [](int whole, int piece) { return static_cast<std::size_t>((whole + piece - 1) / piece); };
  std::size_t expected = 0;
  for (std::size_t o = 0; o < layout.size(); ++o) {
    const std::size_t rows = pieces(layout[o].height, blur_rows);
    if (o == 0) expected += rows * pieces(layout[o].width, columns_of_blur(plan.base.radius()));
    for (const Taps& taps : plan.step) expected += rows * pieces(layout[o].width, columns_of_blur(taps.radius()));
    expected += rows * pieces(layout[o].width, tile_columns);
  }
  EXPECT_EQ(seen.size(), expected);
}

// The rows that a filter reads, and those of the octave before where there is no image to read but its every second row.
TEST(PyramidTasks, WaitForAllTheyRead) {
  const ScaleSpacePlan plan = plan_of(400, 300, -1);
  const std::vector<OctaveLayout> layout = layout_of(plan);
  const PyramidTasks tasks = plan_tasks(plan, layout);
  const auto counter_of = [&](int octave, int level, int tile_y) {
    for (const PyramidTask& t : tasks.order) {
      if (t.octave == octave && t.level == level && t.tile_y == tile_y) return t.counter;
    }
    return -1;
  };
  int checked = 0;
  for (const PyramidTask& t : tasks.order) {
    if (t.level == 0 || t.tile_x > 0) continue;
    const int height = layout[static_cast<std::size_t>(t.octave)].height;
    const int reach = t.level == plan.levels() ? 6 : plan.step[static_cast<std::size_t>(t.level) - 1].radius();
    for (int y = std::max(t.tile_y * blur_rows - reach, 0);
         y < std::min((t.tile_y + 1) * blur_rows + reach, height); ++y) {
      const bool halved = t.octave > 0 && t.level == 1;
      const int needed = halved ? counter_of(t.octave - 1, plan.layers, 2 * y / blur_rows)
                                : counter_of(t.octave, t.level - 1, y / blur_rows);
      ASSERT_GE(needed, t.first_awaited) << t.octave << ' ' << t.level << ' ' << y;
      ASSERT_LE(needed, t.last_awaited) << t.octave << ' ' << t.level << ' ' << y;
      ++checked;
    }
  }
  EXPECT_GT(checked, 1000);
}

}  // namespace
}  // namespace octavo
