#include "video/frames/luma_scaler.h"

#include <cstring>
#include <utility>
#include <vector>

#include "octavo/error.h"
#include "video/frames/levels.h"
#include "video/frames/video_layout.h"

namespace octavo {

const KernelModule& frames_kernels();

namespace video {
namespace {

// The byte of each sample, as the CPU makes it.
std::vector<std::uint8_t> levels_of(const LumaForm& form) {
  std::vector<std::uint8_t> levels(std::size_t{1} << form.depth);
  for (unsigned sample = 0; sample < levels.size(); ++sample) {
    const std::uint8_t byte =
        form.depth > 8 ? byte_of(sample, form.depth, form.limited_range) : static_cast<std::uint8_t>(sample);
    levels[sample] = form.limited_range && form.stretch ? stretched_luma()[byte] : byte;
  }
  return levels;
}

std::size_t area_of(ImageSize size) {
  return static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
}

}  // namespace

LumaScaler::LumaScaler(std::shared_ptr<Gpu> gpu, const LumaForm& form)
    : gpu_(std::move(gpu)),
      form_(form),
      scale_luma_(gpu_->kernel(frames_kernels(), "scale_luma")),
      levels_(gpu_->allocate(std::size_t{1} << form.depth)),
      luma_(gpu_->allocate(row_bytes() * static_cast<std::size_t>(form.stored.height))),
      image_(gpu_->allocate(area_of(form.scaled))),
      host_(gpu_->allocate_pinned(area_of(form.scaled))),
      queue_(gpu_->queue()) {
  const std::vector<std::uint8_t> levels = levels_of(form);
  queue_->upload(*levels_, 0, levels.data(), levels.size());
  queue_->wait();
}

std::size_t LumaScaler::row_bytes() const {
  return static_cast<std::size_t>(form_.stored.width) * (form_.depth > 8 ? 2 : 1);
}

// Enqueued work must not use what the caller frees.
template <class Fill>
Image LumaScaler::scaled(const Fill& fill) try {
  fill();
  const auto [width, height] = form_.scaled;
  const GpuGrid grid = GpuGrid::of_rows(groups_for(width, scale_threads), height, scale_threads);
  queue_->launch(*scale_luma_, grid, *luma_, form_.stored.width, form_.stored.height, form_.depth > 8 ? 2 : 1,
                 form_.depth > 8 ? 16 - form_.depth : 0, *levels_, width, height, *image_);
  queue_->download(host_->data(), *image_, 0, host_->bytes());
  queue_->wait();
  Image grey(width, height, 1, PixelType::u8);
  std::memcpy(grey.row(0), host_->data(), area_of(form_.scaled));
  return grey;
} catch (...) {
  try {
    queue_->wait();
  } catch (const Error&) {  // the first error is the one to report
  }
  throw;
}

Image LumaScaler::scale(const GpuForeignRows& luma) {
  return scaled([&] { queue_->copy_foreign(*luma_, luma); });
}

Image LumaScaler::scale(std::span<const std::byte> luma) {
  return scaled([&] { queue_->upload(*luma_, 0, luma.data(), luma_->bytes()); });
}

}  // namespace video
}  // namespace octavo
