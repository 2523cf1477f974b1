#include "foagdd/foagdd.h"

#include <cmath>
#include <utility>

#include "device/cpu_isa.h"
#include "device/cpu_pool.h"
#include "device/registry.h"
#include "foagdd/engine_gpu.h"
#include "foagdd/foagdd_cpu.h"
#include "foagdd/foagdd_reference.h"
#include "maths/double_precision.h"
#include "maths/scalar.h"
#include "sift/selection.h"

namespace octavo {

using namespace maths;
#include "foagdd/foagdd_maths.h"

namespace {

constexpr double first_sigma = 1.5;

constexpr double ln_2 = 0.693147180559945309417, log2_of_10 = 3.32192809488736234787;

int key_of(double log10_measure) {
  const double logarithm = log10_measure * log2_of_10, exponent = std::floor(logarithm);
  const double fraction = exponential((logarithm - exponent) * ln_2) - 1;
  return ((static_cast<int>(exponent) + key_bias) << key_mantissa_bits) +
         static_cast<int>(fraction * (1 << key_mantissa_bits));
}

}  // namespace

FoagddPlan plan_foagdd(const FoagddOptions& options) {
  FoagddPlan plan{options.directions, options.window, options.luma, key_of(options.corner_threshold), {}, {}};
  for (int row = 0; row <= plan.reach(); ++row) plan.disc.push_back(disc_half_width(row, options.window));
  for (int scale = 1; scale <= options.verify_scales; ++scale) {
    plan.scales.push_back(foagdd_filter(options.directions, first_sigma * scale, options.rho));
  }
  return plan;
}

float log10_of_measure(std::int32_t key) {
  const int exponent = (key >> key_mantissa_bits) - key_bias;
  const double fraction = static_cast<double>(key & ((1 << key_mantissa_bits) - 1)) / (1 << key_mantissa_bits);
  return static_cast<float>((exponent + log2_of_1_plus(fraction)) / log2_of_10);
}

void FoagddHostEngine::begin(const ExtractionJob& job) {
  times_.clear();
  found_ = corners(job.image, job.timed ? &times_ : nullptr);
  const auto masked = [&](const FoagddPoint& p) {
    return !inside(*job.mask, static_cast<float>(p.column), static_cast<float>(p.row));
  };
  if (job.mask != nullptr) std::erase_if(found_, masked);
}

std::vector<FoagddPoint> FoagddHostEngine::finish(std::vector<StageTime>* times) {
  if (times) times->insert(times->end(), times_.begin(), times_.end());
  return std::move(found_);
}

std::unique_ptr<FoagddEngine> make_foagdd_engine(const FoagddOptions& options, const DeviceOptions& device) {
  validate(options);
  const FoundDevice found = find_device(device.name);
  const Isa isa = find_isa(device.isa);  // a wrong option is an error on every device alike
  CpuPool pool(device.threads);
  switch (found.kind) {
    case DeviceKind::gpu:
      return make_foagdd_gpu(options, open_gpu(found.name, device.gpu_memory),
                             std::make_shared<CpuPool>(std::move(pool)));
    case DeviceKind::cpu:
      return make_foagdd_cpu(options, isa, std::move(pool));
    case DeviceKind::reference:
      break;
  }
  return make_foagdd_reference(options);
}

}  // namespace octavo
