#include "engine/foagdd/foagdd.h"

#include <cmath>
#include <utility>

#include "engine/extract/selection.h"
#include "engine/foagdd/engine_gpu.h"
#include "engine/foagdd/foagdd_cpu.h"
#include "engine/foagdd/foagdd_reference.h"
#include "engine/maths/double_precision.h"
#include "engine/maths/scalar.h"

namespace octavo {

using namespace maths;
#include "engine/foagdd/foagdd_maths.h"

namespace {

constexpr double ln_2 = 0.693147180559945309417, log2_of_10 = 3.32192809488736234787;

int key_of(double log10_measure) {
  const double logarithm = log10_measure * log2_of_10, exponent = std::floor(logarithm);
  const double fraction = exponential((logarithm - exponent) * ln_2) - 1;
  return ((static_cast<int>(exponent) + key_bias) << key_mantissa_bits) +
         static_cast<int>(fraction * (1 << key_mantissa_bits));
}

}  // namespace

FoagddPlan plan_foagdd(const FoagddOptions& options) {
  FoagddPlan plan{
      options.directions, options.window, options.luma, options.round_grey, key_of(options.corner_threshold), {}, {}};
  for (int row = 0; row <= plan.reach(); ++row) plan.disc.push_back(disc_half_width(row, options.window));
  for (int scale = 1; scale <= options.verify_scales; ++scale) {
    plan.scales.push_back(foagdd_filter(options.directions, sigma_of_scale(scale), options.rho));
  }
  return plan;
}

// In double precision: response_of_key gives the same float for every key, but takes 52 dependent steps, and a corner
// costs the host some 100 ns.
float log10_of_measure(std::int32_t key) {
  const int exponent = (key >> key_mantissa_bits) - key_bias;
  const double fraction = static_cast<double>(key & ((1 << key_mantissa_bits) - 1)) / (1 << key_mantissa_bits);
  return static_cast<float>((exponent + log2_of_1_plus(fraction)) / log2_of_10);
}

std::int32_t key_at_half_contrast(std::int32_t key, int directions) {
  return key - (2 * directions - 2) * (1 << key_mantissa_bits);
}

void FoagddHostEngine::begin(const DetectorJob& job) {
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

std::unique_ptr<FoagddEngine> make_foagdd_engine(const FoagddOptions& options, const ResolvedDevice& device) {
  validate(options);
  if (device.is_gpu()) {
    return make_foagdd_gpu(options, device.open_gpu(), std::make_shared<CpuPool>(device.cpu_pool()));
  }
  if (device.kind == DeviceKind::cpu) return make_foagdd_cpu(options, device.isa, device.cpu_pool());
  return make_foagdd_reference(options);
}

std::unique_ptr<FoagddEngine> make_foagdd_engine(const FoagddOptions& options, const DeviceOptions& device) {
  return make_foagdd_engine(options, resolve_device(device));
}

}  // namespace octavo
