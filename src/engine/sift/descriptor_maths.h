// The SIFT descriptor (Lowe 2004, §6.1): 4×4 cells of 8 gradient directions, in a frame turned to the keypoint's
// orientation. Cells are 3σ wide. Each gradient is shared linearly between its two nearest columns, rows and
// directions. Included inside a namespace that has the primitives of scalar_primitives.h or vector_primitives.h.
//
// A gradient is a vote, which has a size and a direction. Shares are integers, in units of 2^−20, so that their order
// does not matter. The sums fit 31 bits: pixels are 0…1, so a gradient is at most √2 long. The shares that reach one
// cell sum to at most the area of a cell, (3σ)² ≤ 1150 for σ ≤ 11.3 (σ0 = 4, S = 1), plus the rounding of a few
// thousand votes: 1150·√2·2^20 < 2^31.

/// The eight shares of a pixel. They belong to the cells of rows r and r + 1, of columns c and c + 1 (−1 ≤ r, c ≤ 3;
/// cells −1 and 4 do not exist and are dropped), and to the directions d and d + 1 (mod 8).
typedef struct Shares {
  float_v row, column;  // r and c
  int_v direction;      // d, 0…7
  int_v row0_column0_direction0, row0_column0_direction1, row0_column1_direction0, row0_column1_direction1;
  int_v row1_column0_direction0, row1_column0_direction1, row1_column1_direction0, row1_column1_direction1;
} Shares;

/// Position of pixel (dx, dy) from the keypoint, whole numbers, in cells, so that −1 < position < 4 touches a cell.
/// `cosine` and `sine` are those of the orientation divided by the cell width.
OCTAVO_INLINE float_v cell_column(float_v dx, float_v dy, float_v cosine, float_v sine) {
  return fma_of_whole(dx, cosine, dy * sine) + splat(1.5f);
}
OCTAVO_INLINE float_v cell_row(float_v dx, float_v dy, float_v cosine, float_v sine) {
  return fma_of_whole(dy, cosine, dx * negate(sine)) + splat(1.5f);
}

/// The index of the first share in an array [row][column][direction] of cells that begins with row −1 and column −1 and
/// has the given numbers of columns and directions. The result is exact.
OCTAVO_INLINE int_v slot_of_shares(Shares s, float_v columns, float_v directions) {
  const float_v first = (columns + splat(1.0f)) * directions;
  return add(round_to_int(fma(s.row, columns * directions, fma(s.column, directions, first))), s.direction);
}

/// The direction of a gradient, in eighths of a turn, in (−8, 8). Directions count from the orientation against the
/// sense of the angle (as OpenCV).
OCTAVO_INLINE float_v direction_of_vote(float_v gx, float_v gy, float_v turns) {
  return (turns - angle_of_gradient(gy, gx)) * splat(8.0f);
}

/// The vote of a gradient. The weight carries the factor 2^20.
OCTAVO_INLINE float_v size_of_vote(float_v gx, float_v gy, float_v weight) {
  return root_of_square(fma(gx, gx, gy * gy)) * weight;
}

/// The shares of a vote at a valid position.
OCTAVO_INLINE Shares shares_of_vote(float_v vote, float_v direction, float_v column, float_v row) {
  // The modulo 8 is taken after rounding.
  const float_v direction0 = floor(direction), column0 = floor(column), row0 = floor(row);
  const float_v along_direction = direction - direction0, along_column = column - column0, along_row = row - row0;

  const float_v row1 = vote * along_row, row0_share = vote - row1;
  const float_v v11 = row1 * along_column, v10 = row1 - v11;
  const float_v v01 = row0_share * along_column, v00 = row0_share - v01;
  const float_v v111 = v11 * along_direction, v101 = v10 * along_direction;
  const float_v v011 = v01 * along_direction, v001 = v00 * along_direction;

  // In the order of the members: rows, in these columns, in these directions (why at once: paired_primitives.h).
  const Shares s = {row0,
                    column0,
                    bit_and(round_to_int(direction0), splat_int(7)),
                    round_to_int(v00 - v001),
                    round_to_int(v001),
                    round_to_int(v01 - v011),
                    round_to_int(v011),
                    round_to_int(v10 - v101),
                    round_to_int(v101),
                    round_to_int(v11 - v111),
                    round_to_int(v111)};
  return s;
}

/// The pixel's gradient (gx, gy) at a valid position.
OCTAVO_INLINE Shares descriptor_shares(float_v gx, float_v gy, float_v column, float_v row, float_v turns,
                                       float_v weight) {
  return shares_of_vote(size_of_vote(gx, gy, weight), direction_of_vote(gx, gy, turns), column, row);
}

/// A coordinate of the place or gradient (x, y) in the frame of a window of any size (pooling_maths.h).
OCTAVO_INLINE float_v coordinate(float_v x, float_v y, float_v by_x, float_v by_y) { return fma(x, by_x, y * by_y); }

/// The weight of a pixel of such a window. The Gaussian has half the width of the descriptor, 2 cells: −log2(e)/2/2².
/// The unit of the shares is 2^−19 here.
OCTAVO_INLINE float_v weight_in_window(float_v column, float_v row) {
  const float_v across = column - splat(1.5f), down = row - splat(1.5f);
  return exp2_float(fma(across, across, down * down) * splat(-0.18033688011112042f)) * splat(524288.0f);
}

/// The shares of a pixel of such a window. The gradient is in the window's frame.
OCTAVO_INLINE Shares window_shares(float_v gx, float_v gy, float_v column, float_v row) {
  return descriptor_shares(gx, gy, column, row, splat(0.0f), weight_in_window(column, row));
}
