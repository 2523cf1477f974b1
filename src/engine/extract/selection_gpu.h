// The budget on a GPU: which keypoints of an image stay (selection.h). The host's part of select_kernels.cl.h.

#pragma once

#include <memory>

#include "engine/device/gpu.h"
#include "engine/extract/budget.h"
#include "engine/maths/host_spelling.h"

namespace octavo {

#include "engine/extract/selection_records.h"

class SelectionGpu {
 public:
  /// For a budget that is not 0. `module` contains the kernels.
  SelectionGpu(const Budget& budget, std::shared_ptr<Gpu> gpu, const KernelModule& module);

  /// The number of keypoints that stay, out of `keypoints`.
  [[nodiscard]] std::size_t kept(std::size_t keypoints) const;

  /// The number of words that it uses in the tallies.
  [[nodiscard]] std::size_t tallies() const;
  /// Prepares for images of this size. Its tallies begin at the word `tallies_at`.
  void prepare(int image_width, int image_height, int tallies_at);
  /// Makes room for the choice from `keypoints` keypoints. Throws Error(out_of_memory).
  void make_lists(int keypoints);
  /// Frees the memory. `prepare` and `make_lists` must be called before the next use.
  void release();

  /// Chooses from all_keypoints() and from `order`, their numbers. The chosen keypoints go to `keypoints`, and their
  /// numbers to chosen(). Its tallies begin all 0. The number of launches depends on the budget alone.
  void enqueue(GpuQueue& queue, GpuBuffer& tallies, const GpuBuffer& order, GpuBuffer& keypoints);

  /// For the kernels that make keypoints: without a grid they make their keys too, into keys().
  [[nodiscard]] const SelectionOfKernel& for_kernel() const { return for_kernel_; }
  GpuBuffer& keys() { return *keys_; }                                ///< std::uint32_t of each keypoint
  GpuBuffer& all_keypoints() { return *all_keypoints_; }              ///< Keypoint, in canonical order
  [[nodiscard]] const GpuBuffer& chosen() const { return *chosen_; }  ///< std::int32_t, in canonical order

 private:
  [[nodiscard]] bool has_grid() const { return budget_.grid > 1; }

  Budget budget_;
  std::shared_ptr<Gpu> gpu_;
  std::unique_ptr<GpuKernel> count_cells_, list_cells_, keys_in_cells_, count_digit_, gather_;
  SelectionOfKernel for_kernel_{};
  std::unique_ptr<GpuBuffer> all_keypoints_, keys_, sort_keys_, chosen_;
};

}  // namespace octavo
