#include "engine/maths/scalar.h"
#include "engine/sift/stages_reference.h"

namespace octavo::reference {

using namespace maths;
// clang-format off
#include "engine/sift/bytes_maths.h"
#include "engine/sift/descriptor_finish.h"
// clang-format on
#include "engine/sift/descriptor_maths.h"
#include "engine/sift/window_maths.h"

namespace {

// Adds one share to a cell, if the cell and the share exist.
void add(DescriptorHistogram& histogram, int row, int column, int direction, int share) {
  if (row < 0 || row > 3 || column < 0 || column > 3) return;
  const int bin = (row * 4 + column) * 8 + direction % 8;
  histogram[static_cast<std::size_t>(bin)] += share;
}

void add(DescriptorHistogram& histogram, const Shares& s) {
  const int r = round_to_int(s.row), c = round_to_int(s.column);
  add(histogram, r, c, s.direction, s.row0_column0_direction0);
  add(histogram, r, c, s.direction + 1, s.row0_column0_direction1);
  add(histogram, r, c + 1, s.direction, s.row0_column1_direction0);
  add(histogram, r, c + 1, s.direction + 1, s.row0_column1_direction1);
  add(histogram, r + 1, c, s.direction, s.row1_column0_direction0);
  add(histogram, r + 1, c, s.direction + 1, s.row1_column0_direction1);
  add(histogram, r + 1, c + 1, s.direction, s.row1_column1_direction0);
  add(histogram, r + 1, c + 1, s.direction + 1, s.row1_column1_direction1);
}

bool touches(float_v cells) { return cells > -1 && cells < 4; }

}  // namespace

DescriptorHistogram descriptor_histogram(const Plane& level, const Oriented& keypoint) {
  const DescriptorFrame frame = descriptor_frame(keypoint);
  const float_v factor = window_factor(frame.deviation);
  DescriptorHistogram histogram{};
  for (int dy = -frame.radius; dy <= frame.radius; ++dy) {
    const int y = keypoint.extremum.row + dy;
    if (y < 1 || y > level.height() - 2) continue;
    const float_v row_weight = window_weight(to_float(dy), factor) * vote_unit;
    for (int dx = -frame.radius; dx <= frame.radius; ++dx) {
      const int x = keypoint.extremum.column + dx;
      if (x < 1 || x > level.width() - 2) continue;
      const float_v column = cell_column(to_float(dx), to_float(dy), frame.cosine, frame.sine);
      const float_v row = cell_row(to_float(dx), to_float(dy), frame.cosine, frame.sine);
      if (!touches(column) || !touches(row)) continue;
      const float_v gx = level.row(y)[x + 1] - level.row(y)[x - 1];
      const float_v gy = level.row(y + 1)[x] - level.row(y - 1)[x];
      const Shares s =
          descriptor_shares(gx, gy, column, row, keypoint.turns, row_weight * window_weight(to_float(dx), factor));
      add(histogram, s);
    }
  }
  return histogram;
}

DescriptorHistogram descriptor_histogram(const Plane& level, const WindowFrame& window) {
  DescriptorHistogram histogram{};
  for (int i = -window.reach_y; i <= window.reach_y; ++i) {
    const int dy = i * window.step, y = window.row + dy;
    if (y < 1 || y > level.height() - 2) continue;
    for (int j = -window.reach_x; j <= window.reach_x; ++j) {
      const int dx = j * window.step, x = window.column + dx;
      if (x < 1 || x > level.width() - 2) continue;
      const float_v across = to_float(dx) - window.x, down = to_float(dy) - window.y;
      const float_v column = coordinate(across, down, window.cells11, window.cells12) + 1.5f;
      const float_v row = coordinate(across, down, window.cells21, window.cells22) + 1.5f;
      if (!touches(column) || !touches(row)) continue;
      const float_v gx = level.row(y)[x + 1] - level.row(y)[x - 1];
      const float_v gy = level.row(y + 1)[x] - level.row(y - 1)[x];
      add(histogram, window_shares(coordinate(gx, gy, window.turn11, window.turn12),
                                   coordinate(gx, gy, window.turn21, window.turn22), column, row));
    }
  }
  return histogram;
}

void finish_descriptor(const DescriptorHistogram& histogram, DescriptorKind kind, std::uint8_t* out) {
  finish_descriptor(histogram.data(), kind, out);
}

void finish_pooled(const PooledBytes& sums, DescriptorKind kind, std::uint8_t* out) {
  finish_pooled(sums.data(), kind, out);
}

}  // namespace octavo::reference
