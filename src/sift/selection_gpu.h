// The budget on a GPU: which of an image's keypoints stay (selection.h). The host's half of select_kernels.cl.h.

#pragma once

#include <memory>

#include "device/gpu.h"
#include "octavo/sift_options.h"

namespace octavo {

#include "maths/host_spelling.h"
#include "sift/selection_records.h"

class SelectionGpu {
 public:
  /// For options with a budget. `module` has the kernels.
  SelectionGpu(const SiftOptions& options, std::shared_ptr<Gpu> gpu, const KernelModule& module);

  /// Of so many keypoints, how many stay.
  [[nodiscard]] std::size_t kept(std::size_t keypoints) const;

  /// So many words of the tallies are its own.
  [[nodiscard]] std::size_t tallies() const;
  /// For images of this size, with tallies from this word on.
  void prepare(int image_width, int image_height, int tallies_at);
  /// Room to choose from that many keypoints. Throws Error(out_of_memory).
  void make_lists(int keypoints);
  /// Gives the memory back; prepare and make_lists come next.
  void release();

  /// Chooses from all_keypoints() and from `sorted`, which is in the same order; what stays goes to `keypoints` and
  /// chosen(). Its tallies begin all 0. The number of launches depends on the options alone.
  void enqueue(GpuQueue& queue, GpuBuffer& tallies, const GpuBuffer& sorted, GpuBuffer& keypoints);

  GpuBuffer& all_keypoints() { return *all_keypoints_; }  ///< Keypoint, in canonical order
  GpuBuffer& chosen() { return *chosen_; }                ///< Oriented, in canonical order

 private:
  [[nodiscard]] bool has_grid() const { return options_.grid > 1; }

  SiftOptions options_;
  std::shared_ptr<Gpu> gpu_;
  std::unique_ptr<GpuKernel> keys_of_all_, count_cells_, list_cells_, keys_in_cells_, count_digit_, gather_;
  SelectionOfKernel for_kernel_{};
  std::unique_ptr<GpuBuffer> all_keypoints_, keys_, standings_, chosen_;
};

}  // namespace octavo
