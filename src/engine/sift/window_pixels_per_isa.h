// The pixels of a window, packed densely. Included inside the namespace of an instruction set, below its namespaces
// `vector` and `paired`, and below window_rows_per_isa.h.

// Votes take the place of gradients: their sizes that of gx, their directions that of gy.
struct Pixels {
  float *gx, *gy, *column, *row, *weight;

  // Room for every pixel of an upright rectangle of these distances from its centre, and two vectors more.
  Pixels(Plane& memory, int reach_x, int reach_y) {
    memory.resize((2 * reach_x + 1) * (2 * reach_y + 1) + 2 * HWY_MAX_BYTES, 5);
    gx = memory.row(0);
    gy = memory.row(1);
    column = memory.row(2);
    row = memory.row(3);
    weight = memory.row(4);
  }

  // Whole pairs of vectors are read, so pixels without a gradient and a weight follow the last one.
  HWY_INLINE void end(int count) const {
    const vector::FloatTag d;
    for (float* p : {gx, gy, column, row, weight}) {
      vector::hn::StoreU(vector::splat(0.0f), d, p + count);
      vector::hn::StoreU(vector::splat(0.0f), d, p + count + vector_lanes);
    }
  }
};

// A pair of vectors to neighbouring pixels.
HWY_INLINE void store_pair(paired::float_v v, float* to) {
  const vector::FloatTag d;
  vector::hn::StoreU(v.first, d, to);
  vector::hn::StoreU(v.second, d, to + vector_lanes);
}

// Packs rows top … bottom of a window of any size, without weights; `middle` is the column and the row of its centre.
// Rows and columns are counted in steps from the window's pixel. Returns the number of pixels.
template <int step>
HWY_INLINE int pack_rows_in_steps(const Plane& level, const WindowFrame& window, const RowRanges& ranges, int top,
                                  int bottom, float middle, const Pixels& pixels) {
  using namespace vector;
  const FloatTag d;
  const float_v centre = splat(window.x), next_columns = splat(step * vector_lanes);
  const float_v cells11 = splat(window.cells11), cells21 = splat(window.cells21);
  const std::ptrdiff_t stride = level.stride();
  const float* row = level.row(window.row + top * step) + window.column;
  const Pixels to = pixels;  // where the compiler sees that no store reaches it
  int count = 0;
  for (int i = top; i <= bottom; ++i, row += step * stride) {
    const int first = ranges.first(i - top), last = ranges.last(i - top);
    const float dy = static_cast<float>(i * step) - window.y;
    const float_v columns_down = splat(dy * window.cells12), rows_down = splat(dy * window.cells22);
    float_v x = hn::Iota(d, 0) * splat(step) + splat(static_cast<float>(first * step));
    const float* from = row + first * step;
    // The next row overwrites what is beyond this one.
    for (int j = first, at = count; j <= last; j += vector_lanes, at += vector_lanes) {
      const float_v dx = x - centre;
      hn::StoreU(load_steps(from + 1, step) - load_steps(from - 1, step), d, to.gx + at);
      hn::StoreU(load_steps(from + stride, step) - load_steps(from - stride, step), d, to.gy + at);
      hn::StoreU(fma(dx, cells11, columns_down) + splat(middle), d, to.column + at);
      hn::StoreU(fma(dx, cells21, rows_down) + splat(middle), d, to.row + at);
      x = x + next_columns;
      from += step * vector_lanes;
    }
    count += std::max(last + 1 - first, 0);
  }
  pixels.end(count);
  return count;
}

inline int pack_rows(const Plane& level, const WindowFrame& window, const RowRanges& ranges, int top, int bottom,
                     float middle, const Pixels& pixels) {
  return window.step == 1 ? pack_rows_in_steps<1>(level, window, ranges, top, bottom, middle, pixels)
                          : pack_rows_in_steps<2>(level, window, ranges, top, bottom, middle, pixels);
}
