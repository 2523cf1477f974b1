// Exact nearest neighbours on a GPU (nearest_kernels.cl.h), in the steps that a benchmark wants to time apart:
// descriptors to the device, the work there, results back.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "device/gpu.h"
#include "match/nearest.h"

namespace octavo {

/// Buffers stay between calls and only grow. Whoever destroys it has waited for the queues it was given.
class GpuNearest {
 public:
  explicit GpuNearest(std::shared_ptr<Gpu> gpu);

  /// Enqueues the copies of `a` and the sets to the device; their bytes are not needed afterwards. The queue has
  /// finished what came before.
  void upload(GpuQueue& queue, Descriptors a, std::span<const Descriptors> collection);

  /// The same for sets that lie on this GPU, or on one that shares memory with it.
  void gather(GpuQueue& queue, const FeaturesOnGpu& a, const FeaturesOnGpu& b);

  /// Enqueues the search among what was uploaded; `both` asks for of_b too. May be called again, for the same result.
  void enqueue(GpuQueue& queue, bool both);

  /// Waits for what enqueue found: the neighbours of `a` and each set, in order.
  std::vector<Neighbours> download(GpuQueue& queue);

 private:
  // A set within the descriptors.
  struct Set {
    int first, count;
    int results_of_a;  // the first of them; an empty set has none
  };
  struct Search {
    int a_first, rows, b_first, columns, out_first;
  };

  void prepare(std::size_t rows_of_a, std::span<const std::size_t> rows_of_sets);
  [[nodiscard]] int tiles_per_chunk(int rows, int columns) const;
  [[nodiscard]] int chunks(const Search& search) const;
  // Results before those of a set's own descriptors.
  [[nodiscard]] int results_of_b(const Set& set) const { return filled_sets_ * rows_ + set.first - rows_; }
  void enqueue_scan(GpuQueue& queue, const Search& search);

  std::shared_ptr<Gpu> gpu_;
  int group_rows_, tile_columns_, concurrent_groups_;
  std::unique_ptr<GpuKernel> measure_norms_, scan_pairs_, merge_chunks_;
  std::unique_ptr<GpuBuffer> descriptors_, norms_, partial_, results_;
  std::unique_ptr<GpuPinned> host_descriptors_, host_results_;
  int rows_ = 0;           // of a, which lies first
  int count_ = 0;          // of all descriptors
  int filled_sets_ = 0;    // sets that are not empty
  std::vector<Set> sets_;  // their results: those of a for each filled set, then those of each set, if asked for
  bool both_ = false;
};

/// Reaches features on the GPU of that name, also where they were found by somebody who opened it for himself. Guided
/// searches run on the CPU: they compare few pairs.
std::unique_ptr<NearestSearch> make_nearest_gpu(std::shared_ptr<Gpu> gpu);

}  // namespace octavo
