#include "engine/sift/pooling.h"

#include "engine/maths/double_precision.h"
#include "engine/maths/scalar.h"

namespace octavo {

using namespace maths;
// clang-format off
#include "engine/sift/frame_maths.h"
#include "engine/sift/pooling_maths.h"
// clang-format on

namespace {

double log2_of(double x) {
  int whole = 0;
  for (; x >= 2; x /= 2) ++whole;
  for (; x < 1; x *= 2) --whole;
  return whole + log2_of_1_plus(x - 1);
}

double exp2_of(double x) { return exponential(0.693147180559945309417 * x); }

}  // namespace

PoolingRecord pooling_of(const SiftParts& parts, int octaves) {
  const DescriptionOptions& description = parts.description;
  const ScaleSpaceOptions& space = parts.scale_space;
  PoolingRecord pooling{};
  pooling.sizes = description.pool;
  if (description.affine && description.pool == 0) {
    pooling.sizes = 1;
    pooling.size[0] = 1;
  }
  const bool pools_orientations = description.orientation == OrientationMethod::pooled;
  pooling.orientation_sizes = pools_orientations ? 2 : 1;
  pooling.smoothings = pools_orientations ? 6 : 1;
  pooling.octaves = octaves;
  pooling.layers = space.layers;
  const double from = log2_of(description.pool_from), to = log2_of(description.pool_to);
  for (int i = 0; i < description.pool; ++i) {
    pooling.size[i] = static_cast<float>(exp2_of(from + (to - from) * i / (description.pool - 1)));
  }
  for (int layer = 1; layer <= space.layers; ++layer) {
    pooling.limit[layer] = static_cast<float>(space.sigma * exp2_of((layer + 0.5) / space.layers));
  }
  pooling.limit[0] = pooling.limit[space.layers] / 2;
  return pooling;
}

WindowFrame window_frame(const PoolingRecord& pooling, const Oriented& keypoint, int i) {
  return frame_of_window(pooling, keypoint, pooling.size[i]);
}

WindowFrame orientation_window(const PoolingRecord& pooling, Oriented point, int i) {
  point.turns = 0;
  return frame_of_window(pooling, point, exp2_int(i));
}

bool has_orientation_windows(const DescriptionOptions& options) {
  return options.affine || options.orientation == OrientationMethod::pooled;
}

}  // namespace octavo
