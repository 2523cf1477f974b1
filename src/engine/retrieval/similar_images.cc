// Exact nearest neighbours among VLADs. A VLAD's length is vlad_length but for rounding. So, by the inequality of
// Cauchy and Schwarz, the product of any parts of two VLADs is at most the product of their lengths, about 2^28: 32
// bits hold every sum on the way, and the compiler's vectors add in any order. Rows are compared in blocks, whose VLADs
// stay in the cache.

#include "octavo/retrieval.h"

#include <algorithm>
#include <new>
#include <string>

#include "engine/device/cpu_pool.h"
#include "octavo/error.h"

namespace octavo {
namespace {

using Vlad = std::span<const std::int16_t>;

constexpr std::size_t block_rows = 16;
// Rounding moves each of at most 2^17 numbers by at most 0.6: the length is below 2^14 + 0.6·2^8.5 < 2^14.02.
constexpr std::int64_t longest_squared = std::int64_t{1} << 29;

std::int32_t product(Vlad a, Vlad b) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::int32_t{a[i]} * b[i];
  return sum;
}

void check(std::span<const std::vector<std::int16_t>> vlads) {
  std::size_t length = 0;
  for (const std::vector<std::int16_t>& vlad : vlads) {
    if (vlad.empty()) continue;
    if (length == 0) length = vlad.size();
    if (vlad.size() != length) {
      throw Error(ErrorCode::invalid_argument, "the VLADs have " + std::to_string(length) + " and " +
                                                   std::to_string(vlad.size()) +
                                                   " numbers, but must be of one vocabulary");
    }
    if (vlad_product(vlad, vlad) > longest_squared) {
      throw Error(ErrorCode::invalid_argument, "a vector is longer than a VLAD");
    }
  }
}

bool is_before(const SimilarImage& one, const SimilarImage& other) {
  return one.product != other.product ? one.product > other.product : one.image < other.image;
}

// Keeps the first `count` that were added, in a heap whose top is the last of them.
void add(std::vector<SimilarImage>& kept, std::size_t count, const SimilarImage& one) {
  if (kept.size() == count) {
    if (!is_before(one, kept.front())) return;
    std::pop_heap(kept.begin(), kept.end(), is_before);
    kept.pop_back();
  }
  kept.push_back(one);
  std::push_heap(kept.begin(), kept.end(), is_before);
}

}  // namespace

std::vector<std::vector<SimilarImage>> most_similar_images(std::span<const std::vector<std::int16_t>> vlads,
                                                           std::size_t count, const DeviceOptions& device) try {
  check(vlads);
  const auto has_features = [&](std::size_t i) {
    return std::any_of(vlads[i].begin(), vlads[i].end(), [](std::int16_t number) { return number != 0; });
  };
  std::vector<std::size_t> present;
  for (std::size_t i = 0; i < vlads.size(); ++i) {
    if (has_features(i)) present.push_back(i);
  }
  std::vector<std::vector<SimilarImage>> similar(vlads.size());
  if (count == 0) return similar;
  const std::size_t blocks = (present.size() + block_rows - 1) / block_rows;
  CpuPool pool(device.threads, device.progress);
  pool.stage("most similar images");
  pool.parallel_for(static_cast<int>(blocks), [&](int block, int) {
    const std::size_t begin = static_cast<std::size_t>(block) * block_rows;
    const std::size_t end = std::min(begin + block_rows, present.size());
    for (const std::size_t other : present) {
      for (std::size_t row = begin; row < end; ++row) {
        const std::size_t one = present[row];
        if (one != other) add(similar[one], count, {other, product(vlads[one], vlads[other])});
      }
    }
    for (std::size_t row = begin; row < end; ++row) {
      std::sort_heap(similar[present[row]].begin(), similar[present[row]].end(), is_before);
    }
  });
  return similar;
} catch (const std::bad_alloc&) {
  throw Error(ErrorCode::out_of_memory, "no memory for the similar images of " + std::to_string(vlads.size()));
}

}  // namespace octavo
