// SIFT's kernels and the buffers they work in, for one image at a time on one GPU: the work of a GpuJob.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "engine/device/gpu.h"
#include "engine/device/gpu_job.h"
#include "engine/device/image_on_gpu.h"
#include "engine/extract/oriented.h"
#include "engine/extract/selection_gpu.h"
#include "engine/scale_space/pyramid_gpu.h"
#include "engine/sift/affine.h"
#include "engine/sift/pooling.h"
#include "engine/trilateral/trilateral_octaves_gpu.h"
#include "octavo/keypoint.h"

namespace octavo {

#include "engine/sift/sift_records.h"

/// The results of this work are features in canonical order: a list of Keypoints and a list of descriptors of 128
/// bytes.
class SiftGpu : public GpuWork {
 public:
  /// The queue of the work.
  SiftGpu(const SiftParts& parts, std::shared_ptr<Gpu> gpu, std::shared_ptr<GpuQueue> queue);

  [[nodiscard]] std::unique_ptr<GpuWork> on(const std::shared_ptr<Gpu>& gpu) const override {
    return std::make_unique<SiftGpu>(parts_, gpu, gpu->queue());
  }
  GpuQueue& queue() override { return *queue_; }
  void prepare(const ImageView& image, bool masked) override;
  [[nodiscard]] bool has_work() const override { return !pyramid_.layout().empty(); }
  void release() override;
  ImageOnGpu& image() override { return pyramid_.image(); }
  ImageOnGpu* mask() override { return &mask_; }
  void enqueue(const StageDone& done) override;
  /// Evaluates the download of enqueue_counts.
  bool lists_grew(const std::byte* head) override;
  [[nodiscard]] std::size_t results(const std::byte* head) const override;
  [[nodiscard]] std::size_t capacity() const override { return kept_of(static_cast<std::size_t>(keypoint_capacity_)); }
  [[nodiscard]] std::size_t likely_results() const override;
  [[nodiscard]] std::vector<GpuResultList> lists() const override;

  /// Makes room for at least these numbers.
  void make_lists(int candidates, int extrema, int keypoints);

  /// Sets all tallies to 0, before the extrema.
  void enqueue_clear() { enqueue_clear(*queue_); }
  void enqueue_clear(GpuQueue& queue);
  void enqueue_scale_space();
  void enqueue_extrema();
  /// With a budget for the whole image: counts the extrema of another detector by their ranks. Those of SIFT are
  /// counted when they are found.
  void enqueue_count_of_best();
  /// With a budget for the whole image: leaves the extrema that it may keep to the steps that follow.
  void enqueue_best();
  /// Enqueues the three steps above. The extrema of the large octaves run concurrently with the pyramid of the small
  /// ones.
  void enqueue_scale_space_and_extrema();
  /// With ellipses: fits their shapes.
  void enqueue_shapes();
  void enqueue_orientation();
  void enqueue_order();
  /// With a budget: chooses the keypoints that it keeps, in order.
  void enqueue_selection();
  /// Describes the keypoints that are kept.
  void enqueue_description();
  /// Enqueues all steps from extrema to features: the best extrema, orientation, order, selection if there is a budget,
  /// description. The extrema are in found() and counted; they come from SIFT or from another detector.
  void enqueue_features(const StageDone& done);
  /// Enqueues the input of these steps for extrema of another detector: the Gaussian images 1…S, with Gaussian
  /// smoothing. The queue may be a branch of this one.
  void enqueue_images(GpuQueue& queue) { pyramid_.enqueue_images(queue); }
  /// Enqueues the download of the counters.
  void enqueue_counts();

  /// A counter after enqueue_counts, once the queue is done. It may exceed the length of the list.
  [[nodiscard]] std::uint32_t counted(int counter) const;
  [[nodiscard]] int extrema_capacity() const { return extrema_capacity_; }
  [[nodiscard]] int keypoint_capacity() const { return keypoint_capacity_; }
  [[nodiscard]] const PyramidGpu& pyramid() const { return pyramid_; }

  GpuBuffer& tallies() { return *tallies_; }          ///< std::uint32_t, see sift_records.h
  GpuBuffer& found() { return *found_; }              ///< Oriented, in no order
  GpuBuffer& oriented() { return *oriented_; }        ///< Oriented, in no order
  GpuBuffer& order() { return *order_; }              ///< std::int32_t, the canonical order: places in oriented()
  GpuBuffer& keypoints() { return *keypoints_; }      ///< Keypoint, in canonical order; only those that are kept
  GpuBuffer& descriptors() { return *descriptors_; }  ///< 128 bytes each, in canonical order

 private:
  void enqueue_candidates(GpuQueue& queue, int first_tile, int tiles);
  void enqueue_refinement();
  void join_branches();
  [[nodiscard]] GpuBuffer& listed() { return cuts_ ? *best_ : *found_; }  // the extrema of list_counter
  [[nodiscard]] const GpuBuffer& contrast() const;                        // the factor of the contrast limits
  [[nodiscard]] std::size_t kept_of(std::size_t keypoints) const;
  [[nodiscard]] SiftOfKernel for_kernel() const;
  [[nodiscard]] PoolingRecord pooling() const;
  // Whether descriptors have windows of other sizes or shapes than the usual one.
  [[nodiscard]] bool has_windows() const { return parts_.description.pool > 0 || parts_.description.affine; }
  // Whether the windows that vote for orientations are made with the best extrema; shapes would come between.
  [[nodiscard]] bool best_have_windows() const { return cuts_ && make_windows_ && !parts_.description.affine; }
  [[nodiscard]] unsigned many_groups() const;
  [[nodiscard]] unsigned groups_of_points() const;  // of kernels that process extrema
  [[nodiscard]] GpuGrid few_groups() const;

  SiftParts parts_;
  std::shared_ptr<Gpu> gpu_;
  std::unique_ptr<GpuKernel> extrema_, refine_, count_extrema_, keep_best_extrema_, fit_shapes_, make_windows_, orient_,
      place_, rank_, describe_;
  PyramidGpu pyramid_;
  std::optional<TrilateralOctavesGpu> trilateral_;  // empty unless that is the smoothing
  std::unique_ptr<GpuBuffer> usual_contrast_;       // 1
  std::optional<SelectionGpu> selection_;           // empty if there is no budget
  int image_width_ = 0, image_height_ = 0;
  struct {
    int rows[3], fill, claims, best_bins;
  } tallies_at_{};  // [word], see sift_records.h
  std::size_t tallies_bytes_ = 0;
  bool masked_ = false;
  int last_radius_ = 0;  // see SiftOfKernel
  bool cuts_ = false;    // only the best extrema get shapes and orientations
  ImageOnGpu mask_;
  int candidate_capacity_ = 0, extrema_capacity_ = 0, keypoint_capacity_ = 0;
  std::unique_ptr<GpuBuffer> layout_, tallies_, row_starts_;
  std::unique_ptr<GpuBuffer> candidates_, found_, best_, windows_, oriented_, places_, order_, keypoints_, descriptors_;
  std::unique_ptr<GpuPinned> counts_;
  // The last member: its destructor waits for the work before the buffers are destroyed.
  std::shared_ptr<GpuQueue> queue_;
};

const KernelModule& sift_kernels();

}  // namespace octavo
