// FOAGDD's kernels and the buffers they work in, for one image at a time on one GPU: the work of a GpuJob.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/device/gpu.h"
#include "engine/device/gpu_job.h"
#include "engine/device/image_on_gpu.h"
#include "engine/foagdd/foagdd.h"

namespace octavo {

/// Filters as kernels read them: the runs of taps of all, and the weights of their taps.
struct FiltersInRuns {
  std::vector<FoagddFilterShape> shapes;
  std::vector<FoagddRun> runs;
  std::vector<float> weights;
};

/// The results of this work are candidates in any order: FoagddCandidate. Those with `stands` set are corners.
class FoagddGpu : public GpuWork {
 public:
  /// The work goes to this queue. `shared` is the image of another work, which must outlive the object; null: the work
  /// has an image of its own.
  FoagddGpu(const FoagddOptions& options, std::shared_ptr<Gpu> gpu, std::shared_ptr<GpuQueue> queue,
            ImageOnGpu* shared = nullptr);

  [[nodiscard]] std::unique_ptr<GpuWork> on(const std::shared_ptr<Gpu>& gpu) const override {
    return std::make_unique<FoagddGpu>(options_, gpu, gpu->queue());
  }
  GpuQueue& queue() override { return *queue_; }
  void prepare(const ImageView& image, bool masked) override;
  [[nodiscard]] bool has_work() const override { return rows_ > 0; }
  void release() override;
  ImageOnGpu& image() override { return image_; }
  ImageOnGpu* mask() override { return &mask_; }
  void enqueue(const StageDone& done) override;
  bool lists_grew(const std::byte* head) override;
  [[nodiscard]] std::size_t results(const std::byte* head) const override;
  [[nodiscard]] std::size_t capacity() const override { return capacity_; }
  [[nodiscard]] std::size_t likely_results() const override;
  [[nodiscard]] std::vector<GpuResultList> lists() const override;

  /// The number of candidates, in the place of a FoagddCandidate, and then the candidates.
  [[nodiscard]] GpuBuffer& list() { return *list_; }
  /// Evaluates the number of candidates, as lists_grew does.
  bool list_grew(std::size_t candidates);

 private:
  void enqueue_measures(const StageDone& done);
  void enqueue_candidates(const StageDone& done);
  void make_list(std::size_t candidates);

  FoagddOptions options_;
  FoagddPlan plan_;
  std::shared_ptr<Gpu> gpu_;
  std::unique_ptr<GpuKernel> extend_, respond_, measure_, find_, verify_;
  bool fixed_window_ = false;  // 8 directions, 7 pixels
  std::vector<FoagddFilterShape> filters_;
  std::unique_ptr<GpuBuffer> verifying_, runs_, weights_;  // the filters but the first, and what all read
  ImageOnGpu own_image_;
  ImageOnGpu& image_;
  ImageOnGpu mask_;
  std::unique_ptr<GpuBuffer> extended_, responses_, keys_, list_;
  std::size_t capacity_ = 0;  // number of candidates that the list has room for
  // Properties of the prepared image.
  int width_ = 0, height_ = 0, channels_ = 0;
  ChannelOrder order_ = ChannelOrder::rgb;
  PixelType type_ = PixelType::u8;
  bool masked_ = false;
  int rows_ = 0, columns_ = 0;  // of the measured region
  int extended_stride_ = 0, response_stride_ = 0, key_stride_ = 0;
  std::int64_t planes_ = 0;  // [float] from one plane of responses to the next
  // The last member: its destructor waits for the work before the buffers are destroyed.
  std::shared_ptr<GpuQueue> queue_;
};

const KernelModule& foagdd_kernels();

}  // namespace octavo
