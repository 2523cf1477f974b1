#include "engine/sift/visits.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>

#include "engine/sift/descriptor.h"
#include "engine/sift/orientation.h"

namespace octavo {

namespace {

constexpr int widest_tile = 2048;
constexpr int rounding = 8;  // [pixel] of centres from octave to octave

// Calls window(octave, column, row, reach) for each window of a point whose orientation and shape are not known yet:
// it reads pixels up to `reach` from there.
template <class Window>
void for_each_window(const PoolingRecord& pooling, const DescriptionOptions& description, const Oriented& point,
                     const Window& window) {
  const auto add_own = [&](int radius) { window(point.octave, point.extremum.column, point.extremum.row, radius + 1); };
  const auto add_frame = [&](const WindowFrame& f) {
    const int longest_axis = description.affine ? 2 : 1;
    window(f.octave, f.column, f.row, longest_axis * f.step * (f.reach_x + 1) + 2);
  };
  Oriented widest = point;
  widest.turns = 0.125f;  // a turned square reaches farthest
  widest.shape = {};
  if (has_orientation_windows(description)) {
    for (int i = 0; i < pooling.orientation_sizes; ++i) add_frame(orientation_window(pooling, widest, i));
  } else {
    add_own(orientation_radius(point.scale));
  }
  if (pooling.sizes == 0) add_own(descriptor_radius(point.scale));
  for (int i = 0; i < pooling.sizes; ++i) add_frame(window_frame(pooling, widest, i));
}

int cells(int length, int cell) { return (length + cell - 1) / cell; }

}  // namespace

NeededPixels::NeededPixels(Size octave)
    : octave_(octave),
      columns_(cells(octave.width, cell_width)),
      rows_(cells(octave.height, cell_height)),
      needed_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {}

void NeededPixels::add(int column, int row, int reach) {
  const int left = std::max(column - reach, 0) / cell_width, top = std::max(row - reach, 0) / cell_height;
  const int right = std::min((column + reach) / cell_width, columns_ - 1);
  const int bottom = std::min((row + reach) / cell_height, rows_ - 1);
  for (int x = left; x <= right; ++x) {
    for (int y = top; y <= bottom; ++y) needed_[static_cast<std::size_t>(x * rows_ + y)] = 1;
  }
}

std::vector<Tile> NeededPixels::tiles(const Rows& rows, int gap) const {
  std::vector<Tile> tiles;
  const int first = rows.begin / cell_height, last = std::min(cells(rows.end, cell_height), rows_);
  for (int x = 0; x < columns_; ++x) {
    const std::size_t before = tiles.size();
    const int x_begin = x * cell_width, x_end = std::min(x_begin + cell_width, octave_.width);
    for (int y = first; y < last; ++y) {
      if (!needed_[static_cast<std::size_t>(x * rows_ + y)]) continue;
      const int y_begin = std::max(y * cell_height, rows.begin), y_end = std::min((y + 1) * cell_height, rows.end);
      if (tiles.size() > before && y_begin - tiles.back().y_end <= gap) {
        tiles.back().y_end = y_end;
      } else {
        tiles.push_back({x_begin, x_end, y_begin, y_end});
      }
    }
    // A tile that continues one to the left is made with it.
    for (std::size_t i = before; i < tiles.size();) {
      const Tile& right = tiles[i];
      const auto left =
          std::find_if(tiles.begin(), tiles.begin() + static_cast<std::ptrdiff_t>(before), [&](const Tile& t) {
            return t.x_end == x_begin && t.y_begin == right.y_begin && t.y_end == right.y_end &&
                   x_end - t.x_begin <= widest_tile;
          });
      if (left == tiles.begin() + static_cast<std::ptrdiff_t>(before)) {
        ++i;
        continue;
      }
      left->x_end = x_end;
      tiles.erase(tiles.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return tiles;
}

int Visits::most_rows(std::size_t octave) const {
  int most = 0;
  for (const Band& band : bands) most = std::max(most, band.rows[octave].end - band.rows[octave].begin);
  return most;
}

Visits plan_visits(const std::vector<Oriented>& points, const DroppedOctaves& dropped, const PoolingRecord& pooling,
                   const DescriptionOptions& description) {
  const std::size_t octaves = dropped.sizes.size();
  Visits visits;
  for (const Size size : dropped.sizes) visits.needed.emplace_back(size);
  const std::vector<Rows> none(octaves, {std::numeric_limits<int>::max(), 0});
  std::map<int, Visits::Band> bands;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<Rows> rows = none;
    bool stays = true;
    for_each_window(pooling, description, points[i], [&](int octave, int column, int row, int reach) {
      const std::size_t o = static_cast<std::size_t>(octave);
      if (o >= octaves) return;
      stays = false;
      visits.needed[o].add(column, row, reach);
      rows[o] = {std::min(rows[o].begin, std::max(row - reach, 0)),
                 std::max(rows[o].end, std::min(row + reach + 1, dropped.sizes[o].height))};
    });
    if (stays) {
      visits.of_images_that_stay.push_back(i);
      continue;
    }
    Visits::Band& band = bands[(points[i].extremum.row << points[i].octave) / dropped.band_height];
    band.points.push_back(i);
    if (band.rows.empty()) band.rows = none;
    for (std::size_t o = 0; o < octaves; ++o) {
      band.rows[o] = {std::min(band.rows[o].begin, rows[o].begin), std::max(band.rows[o].end, rows[o].end)};
    }
  }
  for (auto& [at, band] : bands) visits.bands.push_back(std::move(band));
  for (std::size_t o = 0; o < octaves; ++o) {
    int begin = std::numeric_limits<int>::max(), end = 0;
    for (Visits::Band& band : visits.bands) band.rows[o].end = end = std::max(end, band.rows[o].end);
    for (auto band = visits.bands.rbegin(); band != visits.bands.rend(); ++band) {
      band->rows[o].begin = begin = std::min(begin, band->rows[o].begin);
    }
  }
  return visits;
}

int DroppedOctaves::most_rows(std::size_t octave) const {
  return std::min((band_height >> octave) + 2 * (reach + rounding), sizes[octave].height);
}

DroppedOctaves dropped_octaves(const ScaleSpacePlan& plan, int reach) {
  constexpr std::int64_t most_pixels = std::int64_t{1} << 24, pixels_of_band = 3 << 22;
  constexpr int lowest_band = 64;
  DroppedOctaves dropped{.sizes = {}, .reach = reach};
  for (const Size size : plan.octaves) {
    if (std::int64_t{size.width} * size.height > most_pixels) dropped.sizes.push_back(size);
  }
  if (dropped.sizes.empty()) return dropped;
  const std::int64_t pixels_of_row = std::int64_t{dropped.sizes[0].width} * plan.layers;
  dropped.band_height =
      std::max(static_cast<int>(pixels_of_band / pixels_of_row) - 2 * (reach + rounding), lowest_band);
  return dropped;
}

}  // namespace octavo
