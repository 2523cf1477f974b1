#include "engine/trilateral/trilateral_work.h"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace octavo {

namespace {

int taps_of(const TrilateralPlan& plan, int reach) {
  int taps = 0;
  for (int n = -reach; n <= reach; ++n)
    taps += 2 * std::min(reach, plan.disc[static_cast<std::size_t>(std::abs(n))]) + 1;
  return taps;
}

// The taps that the lanes process for one tile. Level 0 has no window.
std::int64_t taps_of_lanes(const TrilateralLevels& levels, const std::vector<TrilateralWork::Windows>& windows,
                           const TrilateralSchedule& s, int left, int top) {
  const int right = std::min(left + s.tile_width, levels.width), bottom = std::min(top + s.tile_height, levels.height);
  std::vector<int> order;
  std::int64_t taps = 0;
  for (int y = top; y < bottom; ++y) {
    const std::uint8_t* const row = levels.level.data() + std::ptrdiff_t{y} * levels.width;
    for (int x = left; x < right;) {
      int end = x + 1;
      while (end < right && row[end] == row[x]) ++end;
      if (row[x] == 0) x = end;
      for (; s.runs && x + s.lanes <= end; x += s.lanes) taps += std::int64_t{s.lanes} * windows[row[x]].taps;
      for (; x < end; ++x) order.push_back(windows[row[x]].taps);
    }
  }
  std::sort(order.begin(), order.end(), std::greater<>());
  for (std::size_t i = 0; i < order.size(); i += static_cast<std::size_t>(s.lanes))
    taps += std::int64_t{s.lanes} * order[i];
  return taps;
}

// The taps of lanes that process all pixels in order of their windows.
std::int64_t taps_in_order(const std::vector<TrilateralWork::Windows>& windows, int lanes) {
  std::int64_t pixels = 0, taps = 0;
  for (auto w = windows.rbegin(); w != windows.rend() && w->level > 0; ++w) {
    // The first pixel of a group of lanes determines the window of the group.
    const std::int64_t groups_before = (pixels + lanes - 1) / lanes;
    pixels += w->pixels;
    taps += ((pixels + lanes - 1) / lanes - groups_before) * lanes * w->taps;
  }
  return taps;
}

}  // namespace

TrilateralWork trilateral_work(const TrilateralLevels& levels, const TrilateralPlan& plan,
                               const TrilateralSchedule& schedule) {
  const TrilateralShape shape = plan.shape(levels.width, levels.height);
  TrilateralWork work;
  for (int level = 0; level <= shape.most_levels; ++level) {
    const int reach = reach_of_level(level, shape.certified, shape.reach);
    work.windows.push_back({level, reach, taps_of(plan, reach), 0});
  }
  for (const std::uint8_t level : levels.level) ++work.windows[level].pixels;
  std::int64_t taps = 0, counted = 0, gone_through = 0;
  for (const auto& w : work.windows) {
    taps += w.pixels * w.taps;
    if (w.level > 0) counted += w.pixels * w.taps;
  }
  if (schedule.whole_image) gone_through = taps_in_order(work.windows, schedule.lanes);
  for (int y = 0; !schedule.whole_image && y < levels.height; y += schedule.tile_height) {
    for (int x = 0; x < levels.width; x += schedule.tile_width) {
      gone_through += taps_of_lanes(levels, work.windows, schedule, x, y);
    }
  }
  work.taps = static_cast<double>(taps) / static_cast<double>(levels.level.size());
  work.lanes = schedule.lanes;
  work.occupancy = schedule.occupancy;
  if (counted > 0) work.imbalance = static_cast<double>(gone_through) / static_cast<double>(counted);
  return work;
}

}  // namespace octavo
