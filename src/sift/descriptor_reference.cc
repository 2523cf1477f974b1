#include "maths/scalar.h"
#include "sift/stages_reference.h"

namespace octavo::reference {

using namespace maths;
// clang-format off
#include "sift/bytes_maths.h"
#include "sift/descriptor_finish.h"
// clang-format on
#include "sift/descriptor_maths.h"
#include "sift/window_maths.h"

namespace {

// Adds one share to a cell, unless the cell or the share does not exist.
void add(DescriptorHistogram& histogram, int row, int column, int direction, int share) {
  if (row < 0 || row > 3 || column < 0 || column > 3) return;
  const int bin = (row * 4 + column) * 8 + direction % 8;
  histogram[static_cast<std::size_t>(bin)] += share;
}

}  // namespace

DescriptorHistogram descriptor_histogram(const Plane& level, const Oriented& keypoint) {
  const DescriptorFrame frame = descriptor_frame(keypoint);
  const real factor = window_factor(frame.deviation);
  const auto touches = [](real cells) { return cells > -1 && cells < 4; };
  DescriptorHistogram histogram{};
  for (int dy = -frame.radius; dy <= frame.radius; ++dy) {
    const int y = keypoint.extremum.row + dy;
    if (y < 1 || y > level.height() - 2) continue;
    const real row_weight = window_weight(to_real(dy), factor) * vote_unit;
    for (int dx = -frame.radius; dx <= frame.radius; ++dx) {
      const int x = keypoint.extremum.column + dx;
      if (x < 1 || x > level.width() - 2) continue;
      const real column = cell_column(to_real(dx), to_real(dy), frame.cosine, frame.sine);
      const real row = cell_row(to_real(dx), to_real(dy), frame.cosine, frame.sine);
      if (!touches(column) || !touches(row)) continue;
      const real gx = level.row(y)[x + 1] - level.row(y)[x - 1];
      const real gy = level.row(y + 1)[x] - level.row(y - 1)[x];
      const Shares s =
          descriptor_shares(gx, gy, column, row, keypoint.turns, row_weight * window_weight(to_real(dx), factor));
      const int r = nearest(s.row), c = nearest(s.column);
      add(histogram, r, c, s.direction, s.row0_column0_direction0);
      add(histogram, r, c, s.direction + 1, s.row0_column0_direction1);
      add(histogram, r, c + 1, s.direction, s.row0_column1_direction0);
      add(histogram, r, c + 1, s.direction + 1, s.row0_column1_direction1);
      add(histogram, r + 1, c, s.direction, s.row1_column0_direction0);
      add(histogram, r + 1, c, s.direction + 1, s.row1_column0_direction1);
      add(histogram, r + 1, c + 1, s.direction, s.row1_column1_direction0);
      add(histogram, r + 1, c + 1, s.direction + 1, s.row1_column1_direction1);
    }
  }
  return histogram;
}

void finish_descriptor(const DescriptorHistogram& histogram, DescriptorKind kind, std::uint8_t* out) {
  finish_descriptor(histogram.data(), kind, out);
}

}  // namespace octavo::reference
