#include "engine/retrieval/descriptors_on_gpu.h"

#include <cstring>
#include <utility>

#include "engine/device/gpu_room.h"

namespace octavo {

DescriptorUpload::DescriptorUpload(std::shared_ptr<Gpu> gpu) : gpu_(std::move(gpu)) {}

FeaturesOnGpu DescriptorUpload::operator()(GpuQueue& queue, std::span<const std::uint8_t> descriptors) {
  if (!buffer_ || buffer_->bytes() < descriptors.size()) {
    buffer_.reset();
    buffer_ = gpu_->allocate(descriptors.size());
  }
  make_room(*gpu_, staging_, descriptors.size());
  std::memcpy(staging_->data(), descriptors.data(), descriptors.size());
  queue.upload(*buffer_, 0, staging_->data(), descriptors.size());
  return {gpu_, descriptors.size() / descriptor_length, buffer_};
}

}  // namespace octavo
