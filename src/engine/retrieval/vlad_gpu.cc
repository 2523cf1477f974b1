#include "engine/retrieval/vlad_gpu.h"

#include "engine/device/gpu_room.h"
#include "engine/device/run_and_wait.h"
#include "engine/retrieval/quantise_layout.h"

namespace octavo {

const KernelModule& retrieval_kernels();

VladGpu::VladGpu(const std::shared_ptr<Gpu>& gpu)
    : gpu_(gpu),
      sum_residuals_(gpu->kernel(retrieval_kernels(), "sum_residuals")),
      normalise_residuals_(gpu->kernel(retrieval_kernels(), "normalise_residuals")),
      nearest_(gpu),
      upload_(gpu),
      upload_centres_(gpu),
      queue_(gpu->queue()) {}

void VladGpu::prepare(const Vocabulary& vocabulary) {
  if (centres_.count > 0) return;
  const std::size_t numbers = vocabulary.size() * descriptor_length;
  make_room(*gpu_, residuals_, numbers * sizeof(std::int32_t));
  make_room(*gpu_, squares_, vocabulary.size() * sizeof(std::int64_t));
  make_room(*gpu_, vlad_, numbers * sizeof(std::int16_t));
  make_room(*gpu_, host_vlad_, numbers * sizeof(std::int16_t));
  centres_ = upload_centres_(*queue_, vocabulary.centres());
}

void VladGpu::enqueue(const FeaturesOnGpu& features) {
  nearest_.gather(*queue_, features, centres_);
  nearest_.enqueue(*queue_, false);
  const int words = static_cast<int>(centres_.count);
  const GpuGrid grid = GpuGrid::of_groups(words, descriptor_numbers).starting_early();
  queue_->launch(*sum_residuals_, grid, *features.buffer, static_cast<int>(features.count), nearest_.results(),
                 *centres_.buffer, *residuals_, *squares_);
  queue_->launch(*normalise_residuals_, grid, *residuals_, *squares_, words, *vlad_);
  queue_->download(host_vlad_->data(), *vlad_, 0, centres_.count * descriptor_length * sizeof(std::int16_t));
}

std::vector<std::int16_t> VladGpu::result() const {
  const auto* numbers = reinterpret_cast<const std::int16_t*>(host_vlad_->data());
  return {numbers, numbers + centres_.count * descriptor_length};
}

std::vector<std::int16_t> VladGpu::encode(const FeaturesOnGpu& features, const Vocabulary& vocabulary) {
  if (features.count == 0) return std::vector<std::int16_t>(vocabulary.size() * descriptor_length);
  run_and_wait(*queue_, [&] {
    prepare(vocabulary);
    enqueue(features);
  });
  return result();
}

std::vector<std::int16_t> VladGpu::encode(std::span<const std::uint8_t> descriptors, const Vocabulary& vocabulary) {
  run_and_wait(*queue_, [&] {
    prepare(vocabulary);
    enqueue(upload_(*queue_, descriptors));
  });
  return result();
}

}  // namespace octavo
