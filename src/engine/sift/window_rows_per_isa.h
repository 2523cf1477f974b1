// The rows of a window. Included inside the namespace of an instruction set, below its namespace `vector`
// and window_columns_per_isa.h.

// The columns of each row of a window that touch its cells. Both coordinates of a pixel in cells rise or fall along a
// row, also when rounded, so that these columns have no gaps.
class RowRanges {
 public:
  // Columns first … last of each row, counted from the window's pixel.
  RowRanges(int rows, int first, int last) : rows_((rows + vector_lanes - 1) / vector_lanes * vector_lanes) {
    std::fill_n(low_, rows_, static_cast<float>(first));
    std::fill_n(high_, rows_, static_cast<float>(last));
  }

  // Drops columns x with |x·slope + y·by_y + offset| > reach, where y is `first_y` in the first row and rises by 1.
  // Some may remain that are too far by a thousandth of a cell.
  void narrow(float slope, float by_y, float offset, float first_y, float reach) {
    using namespace vector;
    const FloatTag d;
    constexpr float flat = 1e-6f;  // a slope as small as this bounds nothing
    const float_v one_by_slope = splat(std::abs(slope) > flat ? 1 / slope : 1 / flat);
    const float_v farthest = splat(reach + 0.001f);
    for (int i = 0; i < rows_; i += vector_lanes) {
      const float_v middle = hn::Iota(d, first_y + static_cast<float>(i)) * splat(by_y) + splat(offset);
      const float_v a = (negate(farthest) - middle) * one_by_slope, b = (farthest - middle) * one_by_slope;
      hn::StoreU(maximum(hn::LoadU(d, low_ + i), minimum(a, b)), d, low_ + i);
      hn::StoreU(minimum(hn::LoadU(d, high_ + i), maximum(a, b)), d, high_ + i);
    }
  }

  // Narrows each row to whole columns.
  void narrow_to_columns() {
    narrow_exactly(0, [](vector::float_v x, vector::float_v) HWY_ATTR { return vector::hn::Eq(x, x); });
  }

  // Narrows each row to the columns that touch the cells. Row i is `first_row` + i rows from the window's pixel, and
  // touches(x, y) tells it for a column and a row counted from there.
  template <class Touches>
  HWY_INLINE void narrow_exactly(int first_row, const Touches& touches) {
    using namespace vector;
    const FloatTag d;
    const float_v one = splat(1), far = splat(1024);  // more than any radius
    for (int i = 0; i < rows_; i += vector_lanes) {
      const float_v y = hn::Iota(d, static_cast<float>(first_row + i));
      float_v first = minimum(hn::Ceil(hn::LoadU(d, low_ + i)), far);
      float_v last = maximum(floor(hn::LoadU(d, high_ + i)), negate(far));
      // The ends are a column too far at most, with few exceptions.
      for (;;) {
        const mask_v outside = hn::AndNot(touches(first, y), hn::Le(first, last));
        if (hn::AllFalse(d, outside)) break;
        first = if_then_else(outside, first + one, first);
      }
      for (;;) {
        const mask_v outside = hn::AndNot(touches(last, y), hn::Le(first, last));
        if (hn::AllFalse(d, outside)) break;
        last = if_then_else(outside, last - one, last);
      }
      hn::StoreU(round_to_int(first), IntTag(), first_ + i);
      hn::StoreU(round_to_int(last), IntTag(), last_ + i);
    }
  }

  // After one of these: the ends of a row. It is empty if first > last.
  [[nodiscard]] int first(int row) const { return first_[row]; }
  [[nodiscard]] int last(int row) const { return last_[row]; }

 private:
  int rows_;  // rounded up to whole vectors
  float low_[tallest_window], high_[tallest_window];
  std::int32_t first_[tallest_window], last_[tallest_window];
};
