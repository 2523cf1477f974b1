#include "engine/foagdd/described_gpu.h"

#include <algorithm>
#include <utility>

#include "engine/device/gpu_grid.h"
#include "engine/foagdd/description.h"
#include "engine/foagdd/foagdd_gpu.h"
#include "engine/sift/sift_gpu.h"

namespace octavo {

namespace {

class DescribedCornersGpu : public GpuWork {
 public:
  DescribedCornersGpu(const FoagddOptions& options, const std::shared_ptr<Gpu>& gpu, std::shared_ptr<GpuQueue> queue)
      : options_(options),
        gpu_(gpu),
        scale_(static_cast<float>(options.descriptor_scale)),
        to_extrema_(gpu->kernel(foagdd_kernels(), "corners_to_extrema")),
        to_corners_(gpu->kernel(foagdd_kernels(), "extrema_to_corners")),
        description_(description_of(options), gpu, queue),
        corners_(options, gpu, queue, &description_.image()),
        queue_(std::move(queue)) {}

  [[nodiscard]] std::unique_ptr<GpuWork> on(const std::shared_ptr<Gpu>& gpu) const override {
    return std::make_unique<DescribedCornersGpu>(options_, gpu, gpu->queue());
  }
  GpuQueue& queue() override { return *queue_; }

  void prepare(const ImageView& image, bool masked) override {
    corners_.prepare(image, masked);
    if (has_work()) description_.prepare(image, false);
  }
  [[nodiscard]] bool has_work() const override { return corners_.has_work(); }
  void release() override {
    corners_.release();
    description_.release();
  }
  ImageOnGpu& image() override { return description_.image(); }
  ImageOnGpu* mask() override { return corners_.mask(); }

  void enqueue(const StageDone& done) override {
    GpuQueue& beside = queue_->fork(0);
    description_.enqueue_clear(beside);
    description_.enqueue_images(beside);
    corners_.enqueue(done);
    queue_->join(0);
    done("scale space");
    queue_->launch(*to_extrema_, few_threads(), corners_.list(), static_cast<int>(corners_.capacity()), scale_,
                   description_.extrema_capacity(), description_.tallies(), description_.found());
    description_.enqueue_count_of_best();
    description_.enqueue_features(done);
    queue_->launch(*to_corners_, few_threads(), description_.tallies(), description_.keypoint_capacity(),
                   static_cast<int>(capacity()), description_.keypoints());
    done("keypoints");
    description_.enqueue_counts();
  }

  bool lists_grew(const std::byte* head) override {
    const bool more_candidates = corners_.list_grew(description_.counted(point_counter));
    const bool more_features = description_.lists_grew(head);
    return more_candidates || more_features;
  }
  [[nodiscard]] std::size_t results(const std::byte* head) const override { return description_.results(head); }
  [[nodiscard]] std::size_t capacity() const override { return description_.capacity(); }
  [[nodiscard]] std::size_t likely_results() const override { return description_.likely_results(); }
  [[nodiscard]] std::vector<GpuResultList> lists() const override { return description_.lists(); }

 private:
  [[nodiscard]] GpuGrid few_threads() const {
    return GpuGrid::of_groups(2 * std::max(gpu_->facts().compute_units, 4), corner_threads).starting_early();
  }

  FoagddOptions options_;
  std::shared_ptr<Gpu> gpu_;
  float scale_;
  std::unique_ptr<GpuKernel> to_extrema_, to_corners_;
  SiftGpu description_;
  FoagddGpu corners_;
  // The last member: its destructor waits for the work before the buffers are destroyed.
  std::shared_ptr<GpuQueue> queue_;
};

}  // namespace

std::unique_ptr<GpuWork> make_described_corners_gpu(const FoagddOptions& options, const std::shared_ptr<Gpu>& gpu) {
  return std::make_unique<DescribedCornersGpu>(options, gpu, gpu->queue());
}

}  // namespace octavo
