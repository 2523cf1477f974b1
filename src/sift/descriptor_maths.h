// The SIFT descriptor (Lowe 2004, §6.1): 4×4 cells of 8 gradient directions, in a frame turned to the keypoint's
// orientation, cells 3σ wide. Each gradient is shared linearly between its two nearest columns, rows and directions.
// Included inside a namespace that has the words of scalar_words.h or vector_words.h.
//
// Shares are integers, in units of 2^−20, so that their order cannot matter. The sums fit 31 bits: pixels being 0…1, a
// gradient is at most √2 long, and the shares that reach one cell sum to at most the area of a cell, (3σ)² ≤ 1150 for σ
// ≤ 11.3 (σ0 = 4, S = 1), plus the rounding of a few thousand votes: 1150·√2·2^20 < 2^31.

/// The eight shares of a pixel. They belong to the cells of rows r and r + 1, of columns c and c + 1 (−1 ≤ r, c ≤ 3;
/// cells −1 and 4 do not exist and are dropped), and to the directions d and d + 1 (mod 8).
typedef struct Shares {
  real row, column;   // r and c
  integer direction;  // d, 0…7
  integer row0_column0_direction0, row0_column0_direction1, row0_column1_direction0, row0_column1_direction1;
  integer row1_column0_direction0, row1_column0_direction1, row1_column1_direction0, row1_column1_direction1;
} Shares;

/// Position of pixel (dx, dy) from the keypoint, in cells, so that −1 < position < 4 touches a cell. `cosine` and
/// `sine` are those of the orientation divided by the cell width.
OCTAVO_INLINE real cell_column(real dx, real dy, real cosine, real sine) {
  return fused(dx, cosine, dy * sine) + constant(1.5f);
}
OCTAVO_INLINE real cell_row(real dx, real dy, real cosine, real sine) {
  return fused(dy, cosine, dx * negative(sine)) + constant(1.5f);
}

/// Where the first share goes in an array [row][column][direction] of cells that begins with those of row and column −1
/// and has so many columns and directions: exact.
OCTAVO_INLINE integer slot_of_shares(Shares s, real columns, real directions) {
  const real first = (columns + constant(1.0f)) * directions;
  return plus(nearest(fused(s.row, columns * directions, fused(s.column, directions, first))), s.direction);
}

/// The pixel's gradient (gx, gy) at a valid position; directions count from the orientation against the sense of the
/// angle (as OpenCV). The weight carries the factor 2^20.
OCTAVO_INLINE Shares descriptor_shares(real gx, real gy, real column, real row, real turns, real weight) {
  const real direction = (turns - angle_in_turns(gy, gx)) * constant(8.0f);  // in (−8, 8): modulo 8 once it is whole
  const real direction0 = round_down(direction), column0 = round_down(column), row0 = round_down(row);
  const real along_direction = direction - direction0, along_column = column - column0, along_row = row - row0;

  const real vote = square_root(fused(gx, gx, gy * gy)) * weight;
  const real row1 = vote * along_row, row0_share = vote - row1;
  const real v11 = row1 * along_column, v10 = row1 - v11;
  const real v01 = row0_share * along_column, v00 = row0_share - v01;
  const real v111 = v11 * along_direction, v101 = v10 * along_direction;
  const real v011 = v01 * along_direction, v001 = v00 * along_direction;

  Shares s;
  s.row = row0;
  s.column = column0;
  s.direction = bit_and(nearest(direction0), whole(7));
  s.row0_column0_direction0 = nearest(v00 - v001);
  s.row0_column0_direction1 = nearest(v001);
  s.row0_column1_direction0 = nearest(v01 - v011);
  s.row0_column1_direction1 = nearest(v011);
  s.row1_column0_direction0 = nearest(v10 - v101);
  s.row1_column0_direction1 = nearest(v101);
  s.row1_column1_direction0 = nearest(v11 - v111);
  s.row1_column1_direction1 = nearest(v111);
  return s;
}
