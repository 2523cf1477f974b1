#include "engine/foagdd/foagdd_reference.h"

#include <algorithm>
#include <cstddef>

#include "engine/core/scratch.h"
#include "engine/device/stage_clock.h"
#include "engine/maths/scalar.h"
#include "engine/scale_space/scale_space_reference.h"

namespace octavo {

namespace reference {

using namespace maths;
#include "engine/foagdd/foagdd_maths.h"

Plane extended(const ImageView& image, const FoagddPlan& plan) {
  Plane grey_image, out;
  grey(image, plan.luma, grey_image, 255);
  out.resize(image.width + 2 * extended_margin, image.height + 2 * extended_margin);
  for (int y = 0; y < out.height(); ++y) {
    const int row = extended_index(y - extended_margin, image.height);
    for (int x = 0; x < out.width(); ++x) {
      const int column = extended_index(x - extended_margin, image.width);
      const float_v value = row < 0 || column < 0 ? 0 : grey_image.row(row)[column];
      out.row(y)[x] = plan.round_grey ? round_to_float(value) : value;
    }
  }
  return out;
}

namespace {

// The K responses at one pixel.
void respond(const Plane& extended, const FoagddFilter& filter, int row, int column, float_v* responses) {
  const auto pixel = [&](int down, int right) {
    return extended.row(row + down + extended_margin)[column + right + extended_margin];
  };
  std::vector<float_v> odd(static_cast<std::size_t>(filter.odd_parts()), 0);
  std::vector<float_v> even(static_cast<std::size_t>(filter.even_parts()) + 1, 0);  // [0] stays 0: θ = 0 has no Q
  const float* weight = filter.weights.data();
  for (const FoagddTap& tap : filter.taps) {
    const int i = tap.down, j = tap.right;
    const float_v forward = pixel(i, j) - pixel(-i, -j), backward = pixel(i, -j) - pixel(-i, j);
    if (j == 0) {
      for (float_v& sum : odd) sum = fma(*weight++, forward, sum);
      weight += filter.even_parts();
    } else if (i == 0) {
      weight += filter.odd_parts();
      for (std::size_t d = 1; d < even.size(); ++d) even[d] = fma(*weight++, forward, even[d]);
    } else {
      for (float_v& sum : odd) sum = fma(*weight++, forward + backward, sum);
      for (std::size_t d = 1; d < even.size(); ++d) even[d] = fma(*weight++, forward - backward, even[d]);
    }
  }
  responses[0] = fabs(odd[0]);
  for (int d = 1; d < filter.odd_parts(); ++d) {
    const float_v p = odd[static_cast<std::size_t>(d)], q = even[static_cast<std::size_t>(d)];
    responses[d] = fabs(p + q);
    responses[filter.directions - d] = fabs(p - q);
  }
  if (filter.directions % 2 == 0) responses[filter.directions / 2] = fabs(even.back());
}

// The sum over the disc around a pixel. product(i, j) is the product of two responses at its neighbour.
template <class Product>
float_v sum_over_disc(const std::vector<int>& disc, const Product& product) {
  const int reach = static_cast<int>(disc.size()) - 1;
  const auto along_row = [&](int i) {
    const int half = disc[static_cast<std::size_t>(i < 0 ? -i : i)];
    float_v sum = (product(i, -1) + product(i, 1)) + product(i, 0);
    for (int j = 2; j <= half; ++j) sum = sum + (product(i, -j) + product(i, j));
    return sum;
  };
  float_v sum = along_row(-reach) + along_row(reach);
  for (int i = reach - 1; i >= 1; --i) sum = sum + (along_row(-i) + along_row(i));
  return sum + along_row(0);
}

}  // namespace

std::vector<std::int32_t> measures(const Plane& extended, const FoagddPlan& plan, const FoagddFilter& filter,
                                   const FoagddRegion& region) {
  const int reach = plan.reach(), k = plan.directions;
  const int first_row = region.row_begin - reach, first_column = region.column_begin - reach;
  const int rows = region.row_end - region.row_begin + 2 * reach;
  const int columns = region.column_end - region.column_begin + 2 * reach;
  std::vector<float_v> responses(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) *
                                 static_cast<std::size_t>(k));
  const auto responses_at = [&](int row, int column) {
    return responses.data() + (std::ptrdiff_t{row - first_row} * columns + (column - first_column)) * k;
  };
  for (int row = first_row; row < first_row + rows; ++row) {
    for (int column = first_column; column < first_column + columns; ++column) {
      respond(extended, filter, row, column, responses_at(row, column));
    }
  }

  std::vector<std::int32_t> keys;
  keys.reserve(static_cast<std::size_t>(region.row_end - region.row_begin) *
               static_cast<std::size_t>(region.column_end - region.column_begin));
  std::vector<float_v> m(static_cast<std::size_t>(plan.products()));
  for (int row = region.row_begin; row < region.row_end; ++row) {
    for (int column = region.column_begin; column < region.column_end; ++column) {
      std::size_t at = 0;
      for (int a = 0; a < k; ++a) {
        for (int b = a; b < k; ++b) {
          m[at++] = sum_over_disc(plan.disc, [&](int i, int j) {
            const float_v* r = responses_at(row + i, column + j);
            return r[a] * r[b];
          });
        }
      }
      keys.push_back(measure_key(m.data(), k));
    }
  }
  return keys;
}

}  // namespace reference

namespace {

class ReferenceEngine : public FoagddHostEngine {
 public:
  explicit ReferenceEngine(const FoagddOptions& options) : plan_(plan_foagdd(options)) {}

  std::vector<FoagddPoint> corners(const ImageView& image, std::vector<StageTime>* times) override {
    StageClock clock(times);
    std::vector<FoagddPoint> found;
    if (!has_corners(image.width, image.height)) return found;
    const Plane extended = reference::extended(image, plan_);
    clock.lap("extension");
    const FoagddRegion measured = measured_region(image.width, image.height);
    const std::vector<std::int32_t> keys = reference::measures(extended, plan_, plan_.scales.front(), measured);
    clock.lap("measures");
    const auto key = [&](int row, int column) {
      const std::ptrdiff_t width = measured.column_end - measured.column_begin;
      return keys[static_cast<std::size_t>((row - measured_border) * width + (column - measured_border))];
    };
    const auto is_highest = [&](int row, int column) {
      for (int i = -suppression_reach; i <= suppression_reach; ++i) {
        for (int j = -suppression_reach; j <= suppression_reach; ++j) {
          if (key(row + i, column + j) > key(row, column)) return false;
        }
      }
      return true;
    };
    const auto stands_at_larger_scales = [&](int row, int column) {
      return std::all_of(plan_.scales.begin() + 1, plan_.scales.end(), [&](const FoagddFilter& filter) {
        const FoagddRegion pixel{row, row + 1, column, column + 1};
        return reference::measures(extended, plan_, filter, pixel).front() > plan_.threshold_key;
      });
    };
    for (int row = corner_border; row <= image.height - corner_border; ++row) {
      for (int column = corner_border; column <= image.width - corner_border; ++column) {
        if (key(row, column) > plan_.threshold_key && is_highest(row, column) && stands_at_larger_scales(row, column)) {
          found.push_back({row, column, key(row, column)});
        }
      }
    }
    clock.lap("candidates and verification");
    return found;
  }

  // The responses and the keys of all measured pixels are in memory at a time, beside the extended image.
  [[nodiscard]] MemoryNeed memory_for(const ImageView& image, bool) const override {
    if (!has_corners(image.width, image.height)) return {};
    const auto [row_begin, row_end, column_begin, column_end] = measured_region(image.width, image.height);
    const std::uint64_t rows = static_cast<std::uint64_t>(row_end - row_begin),
                        columns = static_cast<std::uint64_t>(column_end - column_begin),
                        around = 2 * static_cast<std::uint64_t>(plan_.reach());
    const std::uint64_t bytes =
        Plane::bytes_of(image.width + 2 * extended_margin, image.height + 2 * extended_margin) +
        (rows + around) * (columns + around) * static_cast<std::uint64_t>(plan_.directions) * sizeof(float) +
        rows * columns * sizeof(std::int32_t);
    return {{bytes, 0}, {bytes + scratch_of_thread, 0}};
  }

  [[nodiscard]] bool keeps_memory() const override { return false; }

 private:
  FoagddPlan plan_;
};

}  // namespace

std::unique_ptr<FoagddEngine> make_foagdd_reference(const FoagddOptions& options) {
  return std::make_unique<ReferenceEngine>(options);
}

}  // namespace octavo
