#include "engine/retrieval/quantise_gpu.h"

#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "engine/device/gpu_room.h"
#include "engine/device/run_and_wait.h"
#include "engine/retrieval/code_rotation.h"
#include "engine/retrieval/quantise_layout.h"
#include "octavo/error.h"

namespace octavo {

const KernelModule& retrieval_kernels();

namespace {

static_assert(descriptor_numbers == descriptor_length && half_centres == CodeModel::centre_count);
static_assert(half_words32 * 4 == CodeModel::half_length && code_words32 * 4 == sizeof(FeatureCode));
// Kernels read descriptors and centres in words of 32 bits, and write codes so.
static_assert(std::endian::native == std::endian::little);

// The words of 32 bits of the centres, in the order in which a group reads them.
std::vector<std::uint32_t> centres_by_word(const CodeModel& model) {
  std::vector<std::uint32_t> ordered(half_words32 * half_centres);
  for (std::size_t c = 0; c < half_centres; ++c) {
    for (std::size_t k = 0; k < half_words32; ++k) {
      std::memcpy(&ordered[k * half_centres + c], model.centres().data() + (c * half_words32 + k) * 4, 4);
    }
  }
  return ordered;
}

// For each axis before the transform: its sign, where the descriptor has its number, and the threshold after it.
std::vector<std::int32_t> axes_of(const CodeModel& model) {
  std::vector<std::int32_t> axes(3 * descriptor_length);
  for (std::size_t j = 0; j < descriptor_length; ++j) {
    const std::size_t of_half = j / 2;
    axes[j] = rotation_sign(of_half);
    axes[descriptor_length + j] = static_cast<std::int32_t>(j % 2 == 0 ? of_half : mirrored_index(of_half));
    axes[2 * descriptor_length + j] = code_threshold(j, model);
  }
  return axes;
}

// See nearest_words.
std::vector<std::uint32_t> pairs_for(std::size_t words) {
  std::vector<std::uint32_t> pairs;
  for (std::uint32_t a = 0; a < words; ++a) {
    for (std::uint32_t b = 0; (a + 1) * (b + 1) <= words; ++b) pairs.push_back(a << 8 | b);
  }
  return pairs;
}

template <class Number>
std::unique_ptr<GpuBuffer> uploaded(Gpu& gpu, GpuQueue& queue, const std::vector<Number>& numbers) {
  std::unique_ptr<GpuBuffer> buffer = gpu.allocate(numbers.size() * sizeof(Number));
  run_and_wait(queue, [&] { queue.upload(*buffer, 0, numbers.data(), numbers.size() * sizeof(Number)); });
  return buffer;
}

}  // namespace

QuantiseGpu::QuantiseGpu(const std::shared_ptr<Gpu>& gpu)
    : gpu_(gpu),
      make_codes_(gpu->kernel(retrieval_kernels(), "make_codes")),
      find_words_(gpu->kernel(retrieval_kernels(), "find_words")),
      upload_(gpu),
      queue_(gpu->queue()) {}

void QuantiseGpu::prepare(const Task& task) {
  if (pairs_) return;
  const std::vector<std::uint32_t> pairs = pairs_for(task.words);
  centres_ = uploaded(*gpu_, *queue_, centres_by_word(task.model));
  axes_ = uploaded(*gpu_, *queue_, axes_of(task.model));
  pairs_ = uploaded(*gpu_, *queue_, pairs);
  pair_count_ = pairs.size();
}

void QuantiseGpu::enqueue(const FeaturesOnGpu& features, const Task& task) {
  if (features.count * task.words > std::numeric_limits<std::int32_t>::max()) {
    throw Error(ErrorCode::out_of_memory, "a GPU was asked for the words of " + std::to_string(features.count) +
                                              " descriptors at a time, more than it can number");
  }
  const std::size_t code_bytes = features.count * sizeof(FeatureCode);
  const std::size_t word_bytes = features.count * task.words * sizeof(std::uint32_t);
  make_room(*gpu_, codes_, code_bytes);
  make_room(*gpu_, words_, word_bytes);
  make_room(*gpu_, host_codes_, code_bytes);
  make_room(*gpu_, host_words_, word_bytes);
  const int count = static_cast<int>(features.count);
  queue_->launch(*make_codes_, GpuGrid::of_groups(count, descriptor_numbers).starting_early(), *features.buffer, *axes_,
                 *codes_);
  queue_->launch(*find_words_, GpuGrid::of_groups(count, half_centres).starting_early(), *features.buffer, *axes_,
                 *centres_, *pairs_, static_cast<int>(pair_count_), static_cast<int>(task.words), *words_);
  queue_->download(host_codes_->data(), *codes_, 0, code_bytes);
  queue_->download(host_words_->data(), *words_, 0, word_bytes);
}

QuantisedFeatures QuantiseGpu::results(std::size_t count, std::size_t words) const {
  QuantisedFeatures found;
  found.codes.resize(count);
  std::memcpy(found.codes.data(), host_codes_->data(), count * sizeof(FeatureCode));
  const auto* numbers = reinterpret_cast<const std::uint32_t*>(host_words_->data());
  found.words.assign(numbers, numbers + count * words);
  return found;
}

QuantisedFeatures QuantiseGpu::quantise(const FeaturesOnGpu& features, const Task& task) {
  if (features.count == 0) return {};
  std::vector<Keypoint> keypoints(features.count);
  run_and_wait(*queue_, [&] {
    prepare(task);
    enqueue(features, task);
    queue_->download(keypoints.data(), *features.buffer, features.descriptor_bytes(), features.keypoint_bytes());
  });
  QuantisedFeatures found = results(features.count, task.words);
  found.keypoints = std::move(keypoints);
  return found;
}

QuantisedFeatures QuantiseGpu::quantise(std::span<const std::uint8_t> descriptors, const Task& task) {
  run_and_wait(*queue_, [&] {
    prepare(task);
    enqueue(upload_(*queue_, descriptors), task);
  });
  return results(descriptors.size() / descriptor_length, task.words);
}

}  // namespace octavo
