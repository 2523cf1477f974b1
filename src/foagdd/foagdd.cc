#include "foagdd/foagdd.h"

#include <cmath>
#include <utility>

#include "device/cpu_isa.h"
#include "device/cpu_pool.h"
#include "device/registry.h"
#include "foagdd/foagdd_cpu.h"
#include "foagdd/foagdd_reference.h"
#include "maths/double_precision.h"
#include "maths/scalar.h"
#include "octavo/error.h"

namespace octavo {

using namespace maths;
#include "foagdd/foagdd_maths.h"

namespace {

constexpr double first_sigma = 1.5;

int key_of(double measure) {
  int exponent = 0;
  const double mantissa = std::frexp(measure, &exponent) * 2;  // in [1, 2), or 0
  if (measure == 0 || exponent - 1 + key_bias < 0) return 0;
  const int fraction = static_cast<int>((mantissa - 1) * (1 << key_mantissa_bits));
  return ((exponent - 1 + key_bias) << key_mantissa_bits) + fraction;
}

}  // namespace

FoagddPlan plan_foagdd(const FoagddOptions& options) {
  FoagddPlan plan{options.directions, options.window, options.luma, key_of(options.threshold), {}, {}};
  for (int row = 0; row <= plan.reach(); ++row) plan.disc.push_back(disc_half_width(row, options.window));
  for (int scale = 1; scale <= options.verify_scales; ++scale) {
    plan.scales.push_back(foagdd_filter(options.directions, first_sigma * scale, options.rho));
  }
  return plan;
}

float log10_of_measure(std::int32_t key) {
  constexpr double log10_of_2 = 0.301029995663981195214;
  const int exponent = (key >> key_mantissa_bits) - key_bias;
  const double fraction = static_cast<double>(key & ((1 << key_mantissa_bits) - 1)) / (1 << key_mantissa_bits);
  return static_cast<float>((exponent + log2_of_1_plus(fraction)) * log10_of_2);
}

std::unique_ptr<FoagddEngine> make_foagdd_engine(const FoagddOptions& options, const DeviceOptions& device) {
  validate(options);
  const FoundDevice found = find_device(device.name);
  const Isa isa = find_isa(device.isa);  // a wrong option is an error on every device alike
  CpuPool pool(device.threads);
  switch (found.kind) {
    case DeviceKind::gpu:
      throw Error(ErrorCode::device_unavailable, found.name + " cannot find FOAGDD corners, cpu and reference can");
    case DeviceKind::cpu:
      return make_foagdd_cpu(options, isa, std::move(pool));
    case DeviceKind::reference:
      break;
  }
  return make_foagdd_reference(options);
}

}  // namespace octavo
