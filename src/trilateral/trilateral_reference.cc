#include "trilateral/trilateral_reference.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/stage_clock.h"
#include "maths/scalar.h"
#include "scale_space/scale_space_reference.h"

namespace octavo {

namespace {

using namespace maths;
#include "trilateral/trilateral_maths.h"

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// An image, with its differences and what they amount to.
struct Gradients {
  explicit Gradients(const Plane& image) {
    const int width = image.width(), height = image.height();
    for (Plane* plane : {&x, &y, &size}) plane->resize(width, height);
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        const real here = image.row(row)[column];
        const real gx = column + 1 < width ? image.row(row)[column + 1] - here : 0;
        const real gy = row + 1 < height ? image.row(row + 1)[column] - here : 0;
        x.row(row)[column] = gx;
        y.row(row)[column] = gy;
        size.row(row)[column] = magnitude(gx, gy);
      }
    }
  }
  Plane x, y, size;
};

real sigma_r(const Plane& sizes) {
  real lowest = sizes.row(0)[0], highest = lowest;
  for (int row = 0; row < sizes.height(); ++row) {
    for (int column = 0; column < sizes.width(); ++column) {
      lowest = minimum(lowest, sizes.row(row)[column]);
      highest = maximum(highest, sizes.row(row)[column]);
    }
  }
  return sigma_r_of(lowest, highest);
}

// Whether all sizes at most `level` pixels away are like this one.
bool alike(const Plane& sizes, int row, int column, int level) {
  const real size = sizes.row(row)[column], high = size + scaled_sigma_r, low = size - scaled_sigma_r;
  for (int y = std::max(row - level, 0); y <= std::min(row + level, sizes.height() - 1); ++y) {
    for (int x = std::max(column - level, 0); x <= std::min(column + level, sizes.width() - 1); ++x) {
      if (sizes.row(y)[x] > high || sizes.row(y)[x] < low) return false;
    }
  }
  return true;
}

struct Gradient {
  real x, y;
};

Gradient smoothed(const TrilateralPlan& plan, const Gradients& g, int row, int column) {
  const int reach = plan.smoothing, height = g.size.height(), width = g.size.width();
  real weights = 0, xs = 0, ys = 0;
  for (int n = -reach; n <= reach; ++n) {
    real row_weights = 0, row_xs = 0, row_ys = 0;
    for (int m = -reach; m <= reach; ++m) {
      const int y = row + n, x = column + m;
      if (y < 0 || y >= height || x < 0 || x >= width) continue;
      const real difference = g.size.row(y)[x] - g.size.row(row)[column];
      const real w = two_to_minus(fused(difference, difference, plan.exponent[index(std::abs(m))]));
      row_weights = row_weights + w;
      row_xs = fused(g.x.row(y)[x], w, row_xs);
      row_ys = fused(g.y.row(y)[x], w, row_ys);
    }
    const real row_weight = plan.row_weight[index(std::abs(n))];
    weights = fused(row_weight, row_weights, weights);
    xs = fused(row_weight, row_xs, xs);
    ys = fused(row_weight, row_ys, ys);
  }
  return {xs / weights, ys / weights};
}

// The mean of the differences from the plane through the pixel.
real mean_difference(const TrilateralPlan& plan, const Plane& scaled, int row, int column, Gradient g, int reach) {
  real weights = 0, differences = 0;
  for (int n = -reach; n <= reach; ++n) {
    const int y = row + n, extent = std::min(reach, plan.disc[index(std::abs(n))]);
    const real plane = fused(g.y, to_real(n), scaled.row(row)[column]);
    real row_weights = 0, row_differences = 0;
    for (int m = -extent; m <= extent; ++m) {
      const int x = column + m;
      if (y < 0 || y >= scaled.height() || x < 0 || x >= scaled.width()) continue;
      const real difference = fused(constant(0.0f) - g.x, to_real(m), scaled.row(y)[x] - plane);
      const real w = two_to_minus(fused(difference, difference, plan.exponent[index(std::abs(m))]));
      row_weights = row_weights + w;
      row_differences = fused(difference, w, row_differences);
    }
    const real row_weight = plan.row_weight[index(std::abs(n))];
    weights = fused(row_weight, row_weights, weights);
    differences = fused(row_weight, row_differences, differences);
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
  const real scale = scale_of(sigma_r), unscale = unscale_of(sigma_r);
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
  // Of the squares' sums the smoothed gradients are part, timed with the windows.
  out.resize(width, height);
  for (int y = 0, at = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x, ++at) {
      const int reach = reach_of_level(levels.level[index(at)], shape.certified, shape.reach);
      const Gradient g = shape.smoothing > 0 ? smoothed(plan, gradients, y, x)
                                             : Gradient{gradients.x.row(y)[x], gradients.y.row(y)[x]};
      out.row(y)[x] = clipped(fused(mean_difference(plan, scaled, y, x, g, reach), unscale, grey.row(y)[x]));
    }
  }
  clock.lap("smoothing and windows");
}

std::unique_ptr<TrilateralEngine> make_trilateral_reference(const TrilateralOptions& options) {
  return std::make_unique<ReferenceEngine>(options);
}

}  // namespace octavo
