#include "engine/trilateral/trilateral_reference.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/core/scratch.h"
#include "engine/device/stage_clock.h"
#include "engine/maths/scalar.h"
#include "engine/scale_space/scale_space_reference.h"

namespace octavo {

namespace {

using namespace maths;
#include "engine/trilateral/trilateral_maths.h"

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// An image, with its differences and their magnitudes.
struct Gradients {
  explicit Gradients(const Plane& image) {
    const int width = image.width(), height = image.height();
    for (Plane* plane : {&x, &y, &size}) plane->resize(width, height);
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        const float_v here = image.row(row)[column];
        const float_v gx = column + 1 < width ? image.row(row)[column + 1] - here : 0;
        const float_v gy = row + 1 < height ? image.row(row + 1)[column] - here : 0;
        x.row(row)[column] = gx;
        y.row(row)[column] = gy;
        size.row(row)[column] = magnitude(gx, gy);
      }
    }
  }
  Plane x, y, size;
};

float_v sigma_r(const Plane& sizes) {
  float_v lowest = sizes.row(0)[0], highest = lowest;
  for (int row = 0; row < sizes.height(); ++row) {
    for (int column = 0; column < sizes.width(); ++column) {
      lowest = minimum(lowest, sizes.row(row)[column]);
      highest = maximum(highest, sizes.row(row)[column]);
    }
  }
  return sigma_r_of(lowest, highest);
}

// True if all sizes at most `level` pixels away are similar to this one.
bool alike(const Plane& sizes, int row, int column, int level) {
  const float_v size = sizes.row(row)[column], high = size + scaled_sigma_r, low = size - scaled_sigma_r;
  for (int y = std::max(row - level, 0); y <= std::min(row + level, sizes.height() - 1); ++y) {
    for (int x = std::max(column - level, 0); x <= std::min(column + level, sizes.width() - 1); ++x) {
      if (sizes.row(y)[x] > high || sizes.row(y)[x] < low) return false;
    }
  }
  return true;
}

struct Gradient {
  float_v x, y;
};

Gradient smoothed(const TrilateralPlan& plan, const Gradients& g, int row, int column) {
  const int reach = plan.smoothing, height = g.size.height(), width = g.size.width();
  float_v weights = 0, xs = 0, ys = 0;
  for (int n = -reach; n <= reach; ++n) {
    float_v row_weights = 0, row_xs = 0, row_ys = 0;
    for (int m = -reach; m <= reach; ++m) {
      const int y = row + n, x = column + m;
      if (y < 0 || y >= height || x < 0 || x >= width) continue;
      const float_v difference = g.size.row(y)[x] - g.size.row(row)[column];
      const float_v w = two_to_minus(fma(difference, difference, plan.exponent[index(std::abs(m))]));
      row_weights = row_weights + w;
      row_xs = fma(g.x.row(y)[x], w, row_xs);
      row_ys = fma(g.y.row(y)[x], w, row_ys);
    }
    const float_v row_weight = plan.row_weight[index(std::abs(n))];
    weights = fma(row_weight, row_weights, weights);
    xs = fma(row_weight, row_xs, xs);
    ys = fma(row_weight, row_ys, ys);
  }
  return {xs / weights, ys / weights};
}

// The mean of the differences from the plane through the pixel.
float_v mean_difference(const TrilateralPlan& plan, const Plane& scaled, int row, int column, Gradient g, int reach) {
  float_v weights = 0, differences = 0;
  for (int n = -reach; n <= reach; ++n) {
    const int y = row + n, extent = std::min(reach, plan.disc[index(std::abs(n))]);
    const float_v plane = fma(g.y, to_float(n), scaled.row(row)[column]);
    float_v row_weights = 0, row_differences = 0;
    for (int m = -extent; m <= extent; ++m) {
      const int x = column + m;
      if (y < 0 || y >= scaled.height() || x < 0 || x >= scaled.width()) continue;
      const float_v difference = fma(splat(0.0f) - g.x, to_float(m), scaled.row(y)[x] - plane);
      const float_v w = two_to_minus(fma(difference, difference, plan.exponent[index(std::abs(m))]));
      row_weights = row_weights + w;
      row_differences = fma(difference, w, row_differences);
    }
    const float_v row_weight = plan.row_weight[index(std::abs(n))];
    weights = fma(row_weight, row_weights, weights);
    differences = fma(row_weight, row_differences, differences);
  }
  return differences / weights;
}

class ReferenceEngine : public TrilateralEngine {
 public:
  explicit ReferenceEngine(const TrilateralOptions& options) : plan_(plan_trilateral(options)) {}

  void filter(const ImageView& image, Plane& out, std::vector<StageTime>* times) override {
    StageClock clock(times);
    Plane grey;
    reference::grey(image, plan_.luma, grey);
    clock.lap("grey");
    const float sigma_r = reference::sigma_r_of_gradients(grey);
    clock.lap("range");
    reference::trilateral(grey, plan_, sigma_r, out, levels_, clock);
  }

  void fetch_levels(TrilateralLevels& out) override { out = levels_; }

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image) const override {
    const std::uint64_t bytes =
        Plane::bytes_of(image.width, image.height) + reference::bytes_of_trilateral(image.width, image.height);
    return {{bytes, 0}, {bytes + scratch_of_thread, 0}};
  }

  [[nodiscard]] TrilateralSchedule schedule() const override { return {}; }

 private:
  TrilateralPlan plan_;
  TrilateralLevels levels_;
};

}  // namespace

void reference::gradient_sizes(const Plane& grey, Plane& out) { out = std::move(Gradients(grey).size); }

float reference::sigma_r_of_gradients(const Plane& grey) { return sigma_r(Gradients(grey).size); }

void reference::trilateral(const Plane& grey, const TrilateralPlan& plan, float sigma_r, Plane& out,
                           TrilateralLevels& levels, StageClock& clock) {
  const int width = grey.width(), height = grey.height();
  const TrilateralShape shape = plan.shape(width, height);
  const float_v scale = scale_of(sigma_r), unscale = unscale_of(sigma_r);
  Plane scaled;
  scaled.resize(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) scaled.row(y)[x] = grey.row(y)[x] * scale;
  }
  const Gradients gradients(scaled);
  clock.lap("scaling");

  levels.width = width;
  levels.height = height;
  levels.level.assign(index(width) * index(height), 0);
  for (int y = 0, at = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x, ++at) {
      int level = 0;
      while (scale > 0 && level < shape.most_levels && alike(gradients.size, y, x, level + 1)) ++level;
      levels.level[index(at)] = static_cast<std::uint8_t>(level);
    }
  }
  clock.lap("levels");
  // The smoothed gradients belong to the sums over squares, which are timed with the windows.
  out.resize(width, height);
  for (int y = 0, at = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x, ++at) {
      const int reach = reach_of_level(levels.level[index(at)], shape.certified, shape.reach);
      const Gradient g = shape.smoothing > 0 ? smoothed(plan, gradients, y, x)
                                             : Gradient{gradients.x.row(y)[x], gradients.y.row(y)[x]};
      out.row(y)[x] = clipped(fma(mean_difference(plan, scaled, y, x, g, reach), unscale, grey.row(y)[x]));
    }
  }
  clock.lap("smoothing and windows");
}

std::unique_ptr<TrilateralEngine> make_trilateral_reference(const TrilateralOptions& options) {
  return std::make_unique<ReferenceEngine>(options);
}

}  // namespace octavo
