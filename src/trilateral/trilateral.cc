#include "trilateral/trilateral.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "device/cpu_isa.h"
#include "device/cpu_pool.h"
#include "device/registry.h"
#include "maths/double_precision.h"
#include "trilateral/trilateral_cpu.h"
#include "trilateral/trilateral_gpu.h"
#include "trilateral/trilateral_reference.h"

namespace octavo {

namespace {

constexpr double reach_in_sigmas = 5.77;  // e^(−5.77²/2) < 2^-24
constexpr double log2_of_e = 1.44269504088896340736;

}  // namespace

TrilateralShape TrilateralPlan::shape(int width, int height) const {
  const int sides = static_cast<int>(std::bit_width(static_cast<unsigned>(std::min(width, height)))) - 1;
  int levels = 0;
  while (levels < sides && reach_of_level(levels, certified, reach) < reach) ++levels;
  return {certified, levels, reach, smoothing};
}

TrilateralPlan plan_trilateral(const TrilateralOptions& options) {
  const double sigma = options.sigma, radius = reach_in_sigmas * sigma;
  TrilateralPlan plan{.luma = options.luma,
                      .certified = options.window == TrilateralWindow::certified ? 1 : 0,
                      .reach = static_cast<int>(radius),
                      .smoothing = std::max(static_cast<int>(sigma) - 1, 0) / 2,
                      .exponent = {},
                      .row_weight = {},
                      .disc = {}};
  for (int i = 0; i <= plan.reach; ++i) {
    const double square = static_cast<double>(i) * i, exponent = square / (2 * sigma * sigma);
    plan.exponent.push_back(static_cast<float>(exponent * log2_of_e));
    plan.row_weight.push_back(static_cast<float>(maths::exponential(-exponent)));
    plan.disc.push_back(static_cast<std::int32_t>(std::sqrt(radius * radius - square)));
  }
  return plan;
}

std::unique_ptr<TrilateralEngine> make_trilateral_engine(const TrilateralOptions& options,
                                                         const DeviceOptions& device) {
  validate(options);
  const FoundDevice found = find_device(device.name);
  const Isa isa = find_isa(device.isa);  // a wrong option is an error on every device alike
  CpuPool pool(device.threads);
  switch (found.kind) {
    case DeviceKind::gpu:
      return make_trilateral_gpu(options, open_gpu(found.name, device.gpu_memory), std::move(pool));
    case DeviceKind::cpu:
      return make_trilateral_cpu(options, isa, std::move(pool));
    case DeviceKind::reference:
      break;
  }
  return make_trilateral_reference(options);
}

}  // namespace octavo
