#include "engine/trilateral/trilateral.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "engine/maths/double_precision.h"
#include "engine/trilateral/engine_gpu.h"
#include "engine/trilateral/trilateral_cpu.h"
#include "engine/trilateral/trilateral_reference.h"

namespace octavo {

namespace {

constexpr double log2_of_e = 1.44269504088896340736;

}  // namespace

TrilateralShape TrilateralPlan::shape(int width, int height) const {
  const int sides = static_cast<int>(std::bit_width(static_cast<unsigned>(std::min(width, height)))) - 1;
  int levels = 0;
  while (levels < sides && reach_of_level(levels, certified, reach) < reach) ++levels;
  return {certified, levels, reach, smoothing};
}

TrilateralPlan plan_trilateral(const TrilateralOptions& options) {
  const double sigma = options.spatial_sigma, radius = options.trilateral_truncate * sigma;
  TrilateralPlan plan{.luma = options.luma,
                      .certified = options.trilateral_window == TrilateralWindow::certified ? 1 : 0,
                      .reach = static_cast<int>(radius),
                      .smoothing = std::max(static_cast<int>(sigma) - 1, 0) / 2,
                      .exponent = {},
                      .row_weight = {},
                      .disc = {},
                      .order = options.trilateral_order};
  for (int i = 0; i <= plan.reach; ++i) {
    const double square = static_cast<double>(i) * i, exponent = square / (2 * sigma * sigma);
    plan.exponent.push_back(static_cast<float>(exponent * log2_of_e));
    plan.row_weight.push_back(static_cast<float>(maths::exponential(-exponent)));
    plan.disc.push_back(static_cast<std::int32_t>(std::sqrt(radius * radius - square)));
  }
  return plan;
}

std::unique_ptr<TrilateralEngine> make_trilateral_engine(const TrilateralOptions& options,
                                                         const ResolvedDevice& device) {
  validate(options);
  if (device.is_gpu()) return make_trilateral_gpu(options, device.open_gpu(), device.cpu_pool());
  if (device.kind == DeviceKind::cpu) return make_trilateral_cpu(options, device.isa, device.cpu_pool());
  return make_trilateral_reference(options);
}

std::unique_ptr<TrilateralEngine> make_trilateral_engine(const TrilateralOptions& options,
                                                         const DeviceOptions& device) {
  return make_trilateral_engine(options, resolve_device(device));
}

}  // namespace octavo
