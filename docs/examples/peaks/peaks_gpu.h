// Peaks on a GPU: what a GpuJob runs.

#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "engine/device/gpu.h"
#include "engine/device/gpu_job.h"
#include "engine/device/image_on_gpu.h"
#include "octavo/peaks.h"

namespace octavo {

/// The results are Peaks, in any order.
class PeaksGpu : public GpuWork {
 public:
  PeaksGpu(const PeaksOptions& options, std::shared_ptr<Gpu> gpu);

  [[nodiscard]] std::unique_ptr<GpuWork> on(const std::shared_ptr<Gpu>& gpu) const override {
    return std::make_unique<PeaksGpu>(options_, gpu);
  }
  GpuQueue& queue() override { return *queue_; }
  void prepare(const ImageView& image, bool masked) override;
  [[nodiscard]] bool has_work() const override { return width_ >= 3 && height_ >= 3; }
  void release() override;
  ImageOnGpu& image() override { return image_; }
  void enqueue(const StageDone& done) override;
  bool lists_grew(const std::byte* head) override;
  [[nodiscard]] std::size_t results(const std::byte* head) const override;
  [[nodiscard]] std::size_t capacity() const override { return capacity_; }
  [[nodiscard]] std::size_t likely_results() const override;
  [[nodiscard]] std::vector<GpuResultList> lists() const override;

 private:
  void make_list(std::size_t peaks);

  PeaksOptions options_;
  std::shared_ptr<Gpu> gpu_;
  std::unique_ptr<GpuKernel> find_peaks_;
  ImageOnGpu image_;
  std::unique_ptr<GpuBuffer> list_;
  std::size_t capacity_ = 0;
  int width_ = 0, height_ = 0, channels_ = 0;
  ChannelOrder order_ = ChannelOrder::rgb;
  PixelType type_ = PixelType::u8;
  std::unique_ptr<GpuQueue> queue_;  // last: it is done before the buffers go
};

}  // namespace octavo
