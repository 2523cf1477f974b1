// SIFT's kernels and the buffers they work in, for one image at a time on one GPU: what an extraction enqueues.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "device/gpu.h"
#include "octavo/device_image.h"
#include "octavo/keypoint.h"
#include "octavo/sift_options.h"
#include "scale_space/pyramid_gpu.h"
#include "sift/oriented.h"
#include "sift/selection_gpu.h"
#include "sift/trilateral_octaves_gpu.h"

namespace octavo {

#include "sift/sift_records.h"

class SiftGpu {
 public:
  SiftGpu(const SiftOptions& options, std::shared_ptr<Gpu> gpu);

  /// Makes room for images like this one, with a mask or without. Throws Error(out_of_memory).
  void prepare(const ImageView& image, bool masked);
  /// Room for that many at least.
  void make_lists(int candidates, int extrema, int keypoints);
  /// True if a list was too short for what enqueue_counts brought. It is long enough now: run again.
  bool lists_grew();
  /// Gives all memory but the queue's back, so that what did not fit does not stand in the way of what will.
  void release();
  /// Enqueue the upload; the queue has finished what came before. What comes in is not needed afterwards, but for an
  /// image in pinned memory: true says that it is read until the upload is done.
  bool upload_image(const ImageView& image, CpuPool& pool);
  void upload_mask(const ImageView& mask);
  /// Where the image lies on the device already.
  void copy_image(const DeviceImage& image);
  void copy_image(const PixelsOnGpu& there);

  /// The image has octaves, so there is work to do.
  [[nodiscard]] bool has_work() const { return !pyramid_.layout().empty(); }

  /// All tallies to 0, before the extrema.
  void enqueue_clear();
  void enqueue_scale_space();
  void enqueue_extrema();
  /// All three, the extrema of the large octaves beside the pyramid of the small ones.
  void enqueue_scale_space_and_extrema();
  void enqueue_orientation();
  void enqueue_order();
  /// Where there is a budget: what it keeps, in order.
  void enqueue_selection();
  void enqueue_description();
  /// All of that in its order. `done` is told the name of each stage when it is enqueued.
  void enqueue_work(const std::function<void(std::string_view stage)>& done);
  void enqueue_counts();

  /// What enqueue_counts brought, once the queue is done; possibly more than the lists could hold.
  [[nodiscard]] std::uint32_t counted(int counter) const;
  /// Of the keypoints counted, those that the budget keeps.
  [[nodiscard]] std::size_t kept() const { return kept_of(counted(keypoint_counter)); }
  /// There is room for so many of them.
  [[nodiscard]] std::size_t kept_capacity() const { return kept_of(static_cast<std::size_t>(keypoint_capacity_)); }

  [[nodiscard]] GpuQueue& queue() { return *queue_; }
  [[nodiscard]] const PyramidGpu& pyramid() const { return pyramid_; }

  GpuBuffer& tallies() { return *tallies_; }          ///< std::uint32_t, see sift_records.h
  GpuBuffer& found() { return *found_; }              ///< Oriented, in no order
  GpuBuffer& oriented() { return *oriented_; }        ///< Oriented, in no order
  GpuBuffer& sorted() { return *sorted_; }            ///< Oriented, in canonical order
  GpuBuffer& keypoints() { return *keypoints_; }      ///< Keypoint, likewise; of those that are kept
  GpuBuffer& descriptors() { return *descriptors_; }  ///< 128 bytes each, likewise

 private:
  void enqueue_clear(GpuQueue& queue);
  void enqueue_candidates(GpuQueue& queue, int first_tile, int tiles);
  void enqueue_refinement();
  void join_branches();
  [[nodiscard]] const GpuBuffer& contrast() const;  // what the contrast limits are multiplied by
  [[nodiscard]] std::size_t kept_of(std::size_t keypoints) const;
  [[nodiscard]] SiftOfKernel for_kernel() const;
  [[nodiscard]] unsigned many_groups() const;

  SiftOptions options_;
  std::shared_ptr<Gpu> gpu_;
  std::unique_ptr<GpuKernel> extrema_, refine_, orient_, place_, rank_, describe_, take_roots_;
  PyramidGpu pyramid_;
  std::optional<TrilateralOctavesGpu> trilateral_;  // where that is the smoothing
  std::unique_ptr<GpuBuffer> usual_contrast_;       // 1
  std::optional<SelectionGpu> selection_;           // where there is a budget
  int image_width_ = 0, image_height_ = 0;
  struct {
    int rows[3], fill, claims;
  } tallies_at_{};  // [word], see sift_records.h
  std::size_t tallies_bytes_ = 0, mask_bytes_ = 0;
  int candidate_capacity_ = 0, extrema_capacity_ = 0, keypoint_capacity_ = 0;
  std::unique_ptr<GpuBuffer> layout_, mask_, tallies_, row_starts_;
  std::unique_ptr<GpuBuffer> candidates_, found_, oriented_, places_, sorted_, keypoints_, descriptors_;
  std::unique_ptr<GpuPinned> staged_mask_, counts_;
  std::unique_ptr<GpuQueue> queue_;  // last: it is gone, and done, before the buffers are
};

const KernelModule& sift_kernels();

}  // namespace octavo
