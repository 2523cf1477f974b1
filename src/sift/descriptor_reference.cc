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

// Adds one share to a cell, if the cell and the share exist.
void add(DescriptorHistogram& histogram, int row, int column, int direction, int share) {
  if (row < 0 || row > 3 || column < 0 || column > 3) return;
  const int bin = (row * 4 + column) * 8 + direction % 8;
  histogram[static_cast<std::size_t>(bin)] += share;
}

}  // namespace

DescriptorHistogram descriptor_histogram(const Plane& level, const Oriented& keypoint) {
  const DescriptorFrame frame = descriptor_frame(keypoint);
  const float_v factor = window_factor(frame.deviation);
  const auto touches = [](float_v cells) { return cells > -1 && cells < 4; };
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
  }
  return histogram;
}

void finish_descriptor(const DescriptorHistogram& histogram, DescriptorKind kind, std::uint8_t* out) {
  finish_descriptor(histogram.data(), kind, out);
}

}  // namespace octavo::reference
