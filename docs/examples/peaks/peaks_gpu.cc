// The host's half of peaks_kernels.cl.h, the same for CUDA and OpenCL.

#include "engine/peaks/peaks_gpu.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "engine/device/gpu_room.h"
#include "engine/scale_space/grey.h"

namespace octavo {

#include "engine/peaks/peaks_layout.h"

const KernelModule& peaks_kernels();  // made by the build

namespace {

static_assert(sizeof(Peak) == 16 && offsetof(Peak, row) == 0 && offsetof(Peak, column) == 4 &&
              offsetof(Peak, strength) == 8);

constexpr std::size_t pixels_per_peak = 100;  // of images of which nothing is known

}  // namespace

PeaksGpu::PeaksGpu(const PeaksOptions& options, std::shared_ptr<Gpu> gpu)
    : options_(options),
      gpu_(std::move(gpu)),
      find_peaks_(gpu_->kernel(peaks_kernels(), "find_peaks")),
      image_(gpu_),
      queue_(gpu_->queue()) {}

void PeaksGpu::prepare(const ImageView& image, bool) {
  width_ = image.width;
  height_ = image.height;
  channels_ = image.channels;
  order_ = image.order;
  type_ = image.type;
  if (!has_work()) return;
  image_.prepare(image);
  if (capacity_ < likely_results()) make_list(likely_results());
}

void PeaksGpu::make_list(std::size_t peaks) {
  make_cleared_room(*gpu_, *queue_, list_, (1 + peaks) * sizeof(Peak));  // more may be downloaded than there is
  capacity_ = peaks;
}

void PeaksGpu::release() {
  image_.release();
  list_.reset();
  capacity_ = 0;
}

void PeaksGpu::enqueue(const StageDone& done) {
  queue_->clear(*list_, 0, sizeof(Peak));
  const LumaWeights w = luma_weights(options_.luma, type_);
  queue_->launch(*find_peaks_, GpuGrid::of_rows(groups_for(width_, peaks_threads), height_, peaks_threads),
                 image_.pixels(), static_cast<std::int64_t>(image_.row_bytes()), channels_, red_sample(order_),
                 static_cast<int>(bytes_of(type_)), w.red, w.green, w.blue, w.grey, width_, height_,
                 static_cast<float>(options_.peak_threshold), static_cast<int>(capacity_), *list_);
  done("peaks");
}

bool PeaksGpu::lists_grew(const std::byte* head) {
  if (results(head) <= capacity_) return false;
  make_list(results(head));
  return true;
}

std::size_t PeaksGpu::results(const std::byte* head) const {
  std::uint32_t count;
  std::memcpy(&count, head, sizeof count);
  return count;
}

std::size_t PeaksGpu::likely_results() const {
  return static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) / pixels_per_peak + 64;
}

std::vector<GpuResultList> PeaksGpu::lists() const { return {{*list_, sizeof(Peak), sizeof(Peak)}}; }

}  // namespace octavo
