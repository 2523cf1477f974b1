// Database augmentation (Turcot and Lowe 2009; for VLADs Arandjelović and Zisserman, "Three things everyone should know
// to improve object retrieval", CVPR 2012): an image is compared together with those that look most like it. Images
// that show one scene at sizes too different for a comparison then meet through those in between.
//
// With the VLADs v and their products p, each about 2^28 at most, image i becomes the direction of
//
//     u = 2^28·v_i + Σ max(p_ij, 0)·v_j      over its n ≤ 100 most similar images j
//
// Its numbers are below 101·2^42.1 < 2^49. r = u/2^20, rounded, is below 2^29, and Σ r² below (101·2^22.1)² < 2^58,
// which vlad_maths.h takes.

#include <algorithm>
#include <new>
#include <string>

#include "engine/device/cpu_pool.h"
#include "engine/maths/scalar.h"
#include "octavo/error.h"
#include "octavo/retrieval.h"

namespace octavo {
namespace {

using namespace maths;
#include "engine/retrieval/vlad_maths.h"

constexpr int own_weight_bits = 28, dropped_bits = 20;

std::vector<std::int16_t> in_direction(const std::vector<std::int64_t>& sum) {
  const auto rounded = [](std::int64_t u) {
    return static_cast<int>((u + (std::int64_t{1} << (dropped_bits - 1))) >> dropped_bits);
  };
  std::int64_t q = 0;
  for (const std::int64_t u : sum) q += std::int64_t{rounded(u)} * rounded(u);
  std::vector<std::int16_t> vlad(sum.size());
  if (q == 0) return vlad;
  const int shift = vlad_shift(q);
  const std::int64_t length = integer_root(q << (2 * shift)), factor = vlad_factor(1);
  for (std::size_t k = 0; k < sum.size(); ++k) {
    vlad[k] = static_cast<std::int16_t>(vlad_number(rounded(sum[k]), shift, length, factor));
  }
  return vlad;
}

}  // namespace

std::vector<std::vector<std::int16_t>> augmented_vlads(std::span<const std::vector<std::int16_t>> vlads,
                                                       std::size_t neighbours, const DeviceOptions& device) try {
  if (neighbours > most_augmenting_images) {
    throw Error(ErrorCode::invalid_argument, "a VLAD is augmented by " + std::to_string(most_augmenting_images) +
                                                 " others at most, not by " + std::to_string(neighbours));
  }
  const std::vector<std::vector<SimilarImage>> similar = most_similar_images(vlads, neighbours, device);
  std::vector<std::vector<std::int16_t>> augmented(vlads.size());
  CpuPool pool(device.threads, device.progress);
  pool.stage("augmented VLADs");
  pool.parallel_for(static_cast<int>(vlads.size()), [&](int index, int) {
    const auto i = static_cast<std::size_t>(index);
    std::vector<std::int64_t> sum(vlads[i].size());
    const auto add = [&](std::size_t image, std::int64_t weight) {
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += weight * vlads[image][k];
    };
    add(i, std::int64_t{1} << own_weight_bits);
    for (const SimilarImage& other : similar[i]) add(other.image, std::max(other.product, std::int64_t{0}));
    augmented[i] = in_direction(sum);
  });
  return augmented;
} catch (const std::bad_alloc&) {
  throw Error(ErrorCode::out_of_memory, "no memory for " + std::to_string(vlads.size()) + " augmented VLADs");
}

}  // namespace octavo
