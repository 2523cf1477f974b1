// Exact nearest neighbours on a GPU (nearest_kernels.cl.h), in steps that a benchmark can time separately: the upload
// of descriptors, the search, the download of results.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/device/gpu.h"
#include "engine/match/nearest.h"
#include "engine/match/nearest_shape.h"

namespace octavo {

/// Buffers are kept between calls and only grow. Before it is destroyed, all work on the queues passed to it must be
/// done.
class GpuNearest {
 public:
  explicit GpuNearest(std::shared_ptr<Gpu> gpu);

  /// The memory that `upload` and `enqueue` take for one set, on a GPU with these facts.
  static MemoryNeed memory_for(const GpuFacts& facts, std::size_t rows_of_a, std::size_t rows_of_b, bool both);

  /// Enqueues the upload of `a` and the sets. The caller may free their bytes afterwards. Earlier work of the queue is
  /// done.
  void upload(GpuQueue& queue, Descriptors a, std::span<const Descriptors> collection);

  /// Enqueues the copies of `a` and the sets from this GPU, or from one that shares memory with it.
  void gather(GpuQueue& queue, const FeaturesOnGpu& a, const FeaturesOnGpu& b);

  /// Enqueues the search among the uploaded descriptors. `both` requests of_b too. A second call gives the same result.
  void enqueue(GpuQueue& queue, bool both);

  /// Where the work of `enqueue` leaves the NearestTwo of `a` and the first set that is not empty, row by row.
  [[nodiscard]] const GpuBuffer& results() const { return *results_; }

  /// Waits for the results of `enqueue`: the neighbours of `a` and each set, in order.
  std::vector<Neighbours> download(GpuQueue& queue);

 private:
  // A set among the descriptors.
  struct Set {
    int first, count;
    int results_of_a;  // index of its first result; an empty set has none
  };
  // The searches of a set: of `a` in it, and of it in `a`, if requested.
  struct Searches {
    SearchOfKernel there{}, back{};
    int tiles_per_chunk = 1;
  };

  void prepare(std::size_t rows_of_a, std::span<const std::size_t> rows_of_sets);
  void prepare_upload(std::size_t rows_of_a, std::span<const std::size_t> rows_of_sets);
  [[nodiscard]] int tiles_per_chunk(int columns) const;
  [[nodiscard]] Searches searches_of(const Set& set) const;
  // The number of results before those for a set's own descriptors.
  [[nodiscard]] int results_of_b(const Set& set) const { return filled_sets_ * rows_ + set.first - rows_; }
  void enqueue_searches(GpuQueue& queue, const Searches& searches);

  std::shared_ptr<Gpu> gpu_;
  bool twin_;  // nearest_kernels.cu's kernels run
  int group_rows_, tile_columns_, compute_units_;
  std::unique_ptr<GpuKernel> measure_norms_, scan_pairs_, merge_chunks_;
  std::unique_ptr<GpuBuffer> descriptors_, norms_, partial_, results_;
  std::unique_ptr<GpuPinned> host_descriptors_, host_results_;
  int rows_ = 0;         // rows of `a`, which come first
  int count_ = 0;        // number of all descriptors
  int filled_sets_ = 0;  // number of sets that are not empty
  // The results are ordered: first those of `a` for each set that is not empty, then those of each set, if requested.
  std::vector<Set> sets_;
  bool both_ = false;
};

/// A search that also takes features on this GPU, even if another object opened it. `guided` runs the guided searches:
/// they compare few pairs, scattered over memory, which a search in double precision finds.
std::unique_ptr<NearestSearch> make_nearest_gpu(const std::shared_ptr<Gpu>& gpu, std::unique_ptr<NearestSearch> guided);

}  // namespace octavo
