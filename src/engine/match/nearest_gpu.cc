// The host's part of nearest neighbours on a GPU. All descriptors of a call lie in one buffer, `a` first, so that one
// launch computes their norms. Each set then costs a scan, which also finds the nearest a of each b, with exchanged
// roles, and a merge of the chunks of columns.

#include "engine/match/nearest_gpu.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>

#include "engine/device/gpu_dry_run.h"
#include "engine/device/gpu_room.h"
#include "engine/device/run_and_wait.h"
#include "octavo/error.h"

namespace octavo {

const KernelModule& match_kernels();

namespace {

// The greatest number of chunks of the columns. The results of each chunk are kept until the merge.
constexpr int most_chunks = 64;

// What a tile costs, and a group beside, which loads its rows and writes its results; and what both cost a group that
// has a compute unit to itself, and one that shares it. Fitted to an H200's times of 2048 to 16384 rows in 4 to 32
// chunks.
constexpr int tile_cost = 2, group_cost = 1, cost_alone = 32, cost_in_pairs = 31;

int ceiling(int n, int step) { return (n + step - 1) / step; }

// Kernels write the two nearest as four 32-bit words.
static_assert(sizeof(NearestTwo) == nearest_result_words * sizeof(std::uint32_t) && offsetof(NearestTwo, index) == 0 &&
              offsetof(NearestTwo, distance2) == 2 * sizeof(std::uint32_t));

static_assert(sizeof(SearchOfKernel) == 24 && offsetof(SearchOfKernel, chunks) == 16 &&
              offsetof(SearchOfKernel, out_first) == 20);

GpuGrid grid(int groups) { return GpuGrid::of_groups(groups, nearest_threads).starting_early(); }

// True if nearest_kernels.cu, which has tiles of its own, replaces nearest_kernels.cl.h.
bool runs_twin(const Gpu& gpu) { return gpu.facts().driver == "cuda"; }

// Sizes grow in steps, so that slowly growing sets do not allocate each time. The steps are small, so that sets that
// fit are not refused.
constexpr std::size_t growth_step = std::size_t{256} << 10;

}  // namespace

GpuNearest::GpuNearest(std::shared_ptr<Gpu> gpu)
    : gpu_(std::move(gpu)),
      twin_(runs_twin(*gpu_)),
      group_rows_(twin_ ? nearest_tensor_rows : nearest_common_rows),
      tile_columns_(twin_ ? nearest_tensor_columns : nearest_common_columns),
      compute_units_(gpu_->facts().compute_units),
      measure_norms_(gpu_->kernel(match_kernels(), "measure_norms")),
      scan_pairs_(gpu_->kernel(match_kernels(), "scan_pairs")),
      merge_chunks_(gpu_->kernel(match_kernels(), "merge_chunks")) {}

// Makes room for all uploaded or gathered descriptors, and for the results.
void GpuNearest::prepare(std::size_t rows_of_a, std::span<const std::size_t> rows_of_sets) {
  std::size_t count = rows_of_a, results = 0;
  for (const std::size_t rows : rows_of_sets) {
    count += rows;
    if (rows > 0) results += rows_of_a + rows;
  }
  if (std::max(count, results) > std::numeric_limits<std::int32_t>::max() - nearest_tensor_rows) {
    throw Error(ErrorCode::out_of_memory, "a GPU was asked to match " + std::to_string(count) +
                                              " descriptors at a time, more than it can number");
  }

  sets_.clear();
  filled_sets_ = 0;
  count_ = rows_ = static_cast<int>(rows_of_a);
  for (const std::size_t rows : rows_of_sets) {
    sets_.push_back({count_, static_cast<int>(rows), filled_sets_ * rows_});
    count_ += sets_.back().count;
    if (rows > 0) ++filled_sets_;
  }
  if (count_ == 0) return;

  make_room(*gpu_, descriptors_, count * descriptor_length, growth_step);
  make_room(*gpu_, norms_, count * sizeof(std::int32_t), growth_step);
  if (results > 0) {
    make_room(*gpu_, host_results_, results * sizeof(NearestTwo), growth_step);
    make_room(*gpu_, results_, results * sizeof(NearestTwo), growth_step);
  }
}

void GpuNearest::prepare_upload(std::size_t rows_of_a, std::span<const std::size_t> rows_of_sets) {
  prepare(rows_of_a, rows_of_sets);
  if (count_ == 0) return;
  make_room(*gpu_, host_descriptors_, static_cast<std::size_t>(count_) * descriptor_length, growth_step);
}

void GpuNearest::upload(GpuQueue& queue, Descriptors a, std::span<const Descriptors> collection) {
  std::vector<std::size_t> rows;
  for (const Descriptors& b : collection) rows.push_back(rows_of(b));
  prepare_upload(rows_of(a), rows);
  if (count_ == 0) return;

  std::byte* to = host_descriptors_->data();
  const auto append = [&](Descriptors descriptors) {
    if (!descriptors.empty()) std::memcpy(to, descriptors.data(), descriptors.size());
    to += descriptors.size();
  };
  append(a);
  for (const Descriptors& b : collection) append(b);
  queue.upload(*descriptors_, 0, host_descriptors_->data(), static_cast<std::size_t>(count_) * descriptor_length);
}

MemoryNeed GpuNearest::memory_for(const GpuFacts& facts, std::size_t rows_of_a, std::size_t rows_of_b, bool both) {
  const auto gpu = std::make_shared<GpuDryRun>(facts);
  const std::unique_ptr<GpuQueue> queue = gpu->queue();
  GpuNearest nearest(gpu);
  nearest.prepare_upload(rows_of_a, {&rows_of_b, 1});
  nearest.enqueue(*queue, both);
  return gpu->most();
}

void GpuNearest::gather(GpuQueue& queue, const FeaturesOnGpu& a, const FeaturesOnGpu& b) {
  prepare(a.count, {&b.count, 1});
  if (a.count > 0) queue.copy(*descriptors_, 0, *a.buffer, 0, a.descriptor_bytes());
  if (b.count > 0) queue.copy(*descriptors_, a.descriptor_bytes(), *b.buffer, 0, b.descriptor_bytes());
}

// The number of tiles per chunk for which the groups end soonest. A compute unit works on two groups at a time, but on
// both together hardly faster than on one after the other.
int GpuNearest::tiles_per_chunk(int columns) const {
  const int tiles = ceiling(both_ ? std::max(rows_, columns) : columns, tile_columns_);
  const auto groups = [&](int rows, int searched, int length) {
    return std::int64_t{ceiling(rows, group_rows_)} * ceiling(ceiling(searched, tile_columns_), length);
  };
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  int best = tiles;
  for (int chunks = 1; chunks <= std::min(tiles, most_chunks); ++chunks) {
    const int length = ceiling(tiles, chunks);
    const std::int64_t all = groups(rows_, columns, length) + (both_ ? groups(columns, rows_, length) : 0);
    const std::int64_t turns = (all - 1) / compute_units_ + 1;
    const std::int64_t cost = turns * (length * tile_cost + group_cost) * (turns > 1 ? cost_in_pairs : cost_alone);
    if (cost < least) {
      least = cost;
      best = length;
    }
  }
  return best;
}

GpuNearest::Searches GpuNearest::searches_of(const Set& set) const {
  Searches searches{.tiles_per_chunk = tiles_per_chunk(set.count)};
  const auto chunks = [&](int columns) { return ceiling(ceiling(columns, tile_columns_), searches.tiles_per_chunk); };
  searches.there = {0, rows_, set.first, set.count, chunks(set.count), set.results_of_a};
  if (both_) searches.back = {set.first, set.count, 0, rows_, chunks(rows_), results_of_b(set)};
  return searches;
}

void GpuNearest::enqueue(GpuQueue& queue, bool both) {
  both_ = both;
  std::vector<Searches> all;
  for (const Set& set : sets_) {
    if (rows_ > 0 && set.count > 0) all.push_back(searches_of(set));
  }
  if (all.empty()) return;

  std::size_t partial = 0;
  for (const auto& [there, back, length] : all) {
    partial = std::max(partial, static_cast<std::size_t>(there.chunks) * there.rows +
                                    static_cast<std::size_t>(back.chunks) * back.rows);
  }
  if (const std::size_t bytes = partial * sizeof(NearestTwo); !partial_ || partial_->bytes() < bytes) {
    queue.wait();  // an earlier search may still use the smaller one
    make_room(*gpu_, partial_, bytes, growth_step);
  }
  queue.launch(*measure_norms_, grid(ceiling(count_, nearest_norm_rows)), *descriptors_, count_, *norms_);
  for (const Searches& searches : all) enqueue_searches(queue, searches);
}

void GpuNearest::enqueue_searches(GpuQueue& queue, const Searches& searches) {
  const auto& [there, back, length] = searches;
  const int scans = ceiling(there.rows, group_rows_) * there.chunks + ceiling(back.rows, group_rows_) * back.chunks;
  queue.launch(*scan_pairs_, grid(scans), *descriptors_, *norms_, there, back, length, *partial_);
  const int merged_rows = twin_ ? nearest_threads / nearest_merge_threads : nearest_threads;
  const GpuGrid merges = grid(ceiling(there.rows, merged_rows) + ceiling(back.rows, merged_rows));
  if (twin_) {
    queue.launch(*merge_chunks_, merges, *partial_, there, back, *results_, *descriptors_, *norms_);
  } else {
    queue.launch(*merge_chunks_, merges, *partial_, there, back, *results_);
  }
}

std::vector<Neighbours> GpuNearest::download(GpuQueue& queue) {
  const std::size_t count = static_cast<std::size_t>(filled_sets_) * rows_ + (both_ ? count_ - rows_ : 0);
  if (count > 0 && rows_ > 0) queue.download(host_results_->data(), *results_, 0, count * sizeof(NearestTwo));
  queue.wait();
  std::vector<Neighbours> found;
  for (const Set& set : sets_) {
    Neighbours neighbours{std::vector<NearestTwo>(rows_), std::vector<std::int32_t>(both_ ? set.count : 0, -1)};
    if (rows_ > 0 && set.count > 0) {
      const auto* results = reinterpret_cast<const NearestTwo*>(host_results_->data());
      std::copy_n(results + set.results_of_a, rows_, neighbours.of_a.begin());
      for (std::size_t i = 0; i < neighbours.of_b.size(); ++i) {
        neighbours.of_b[i] = results[results_of_b(set) + i].index[0];
      }
    }
    found.push_back(std::move(neighbours));
  }
  return found;
}

namespace {

class NearestGpu final : public NearestSearch {
 public:
  NearestGpu(const std::shared_ptr<Gpu>& gpu, std::unique_ptr<NearestSearch> guided)
      : own_(gpu), guided_(std::move(guided)) {}

  [[nodiscard]] int threads() const override { return 1; }

  void search(Descriptors a, std::span<const Descriptors> collection, bool both,
              const std::function<void(const Neighbours&)>& found) override {
    while (!collection.empty()) {
      std::size_t count = 0, bytes = 0;
      do {
        bytes += collection[count++].size() + rows_of(a) * sizeof(NearestTwo);
      } while (count < collection.size() && bytes < batch_bytes);
      const auto upload = [&](GpuNearest& nearest, GpuQueue& queue) {
        nearest.upload(queue, a, collection.first(count));
      };
      for (const Neighbours& neighbours : own_.search(upload, both)) found(neighbours);
      collection = collection.subspan(count);
    }
  }

  std::shared_ptr<const FeaturesOnGpu> upload(const Features& features) override {
    FeaturesOnGpu on_gpu{.gpu = own_.gpu, .count = features.size(), .buffer = nullptr};
    if (on_gpu.count > 0) {
      std::unique_ptr<GpuBuffer> buffer = own_.gpu->allocate(on_gpu.descriptor_bytes() + on_gpu.keypoint_bytes());
      run_and_wait(*own_.queue, [&] {
        own_.queue->upload(*buffer, 0, features.descriptors.data(), on_gpu.descriptor_bytes());
        own_.queue->upload(*buffer, on_gpu.descriptor_bytes(), features.keypoints.data(), on_gpu.keypoint_bytes());
      });
      on_gpu.buffer = std::move(buffer);
    }
    return std::make_shared<const FeaturesOnGpu>(std::move(on_gpu));
  }

  std::optional<Neighbours> search_on_gpu(const FeaturesOnGpu& a, const FeaturesOnGpu& b, bool both) override {
    Place* const place = place_that_reaches(a, b);
    if (place == nullptr) return {};
    const auto gather = [&](GpuNearest& nearest, GpuQueue& queue) { nearest.gather(queue, a, b); };
    return place->search(gather, both).front();
  }

  Neighbours search_guided(const Features& a, const Features& b, const Guide& guide, bool both) override {
    return guided_->search_guided(a, b, guide, both);
  }

  [[nodiscard]] MemoryNeed memory_for(std::size_t rows, std::size_t columns, bool both) const override {
    MemoryNeed need = GpuNearest::memory_for(own_.gpu->facts(), rows, columns, both);
    const MemoryBytes results{bytes_of_neighbours(rows, columns, both), 0};
    return need + MemoryNeed{results, results};
  }
  [[nodiscard]] const Gpu* gpu() const override { return own_.gpu.get(); }
  void require_memory(const MemoryNeed& need, const MemoryBytes& held, const std::string& subject) const override {
    NearestSearch::require_memory(need, held, subject);
    require_device_memory(*own_.gpu, need, held.device, subject);
  }

 private:
  // A GPU as one object opened it, and the search on it.
  struct Place {
    explicit Place(const std::shared_ptr<Gpu>& opened) : gpu(opened), nearest(opened), queue(opened->queue()) {}

    // Searches after `fill` has enqueued the upload or the copy of the descriptors.
    template <class Fill>
    std::vector<Neighbours> search(const Fill& fill, bool both) try {
      fill(nearest, *queue);
      nearest.enqueue(*queue, both);
      return nearest.download(*queue);
    } catch (...) {
      wait_for_whatever_runs(*queue);  // it must not use the buffers of the next call
      throw;
    }

    std::shared_ptr<Gpu> gpu;
    GpuNearest nearest;
    std::unique_ptr<GpuQueue> queue;
  };

  // The GPU as this search opened it, if it reaches both; otherwise as `a` has it, which is kept for the next call.
  Place* place_that_reaches(const FeaturesOnGpu& a, const FeaturesOnGpu& b) {
    const auto reaches = [&](const Gpu& gpu) {
      return gpu.shares_memory_with(*a.gpu) && gpu.shares_memory_with(*b.gpu);
    };
    if (reaches(*own_.gpu)) return &own_;
    if (a.gpu->facts().name != own_.gpu->facts().name || !reaches(*a.gpu)) return nullptr;
    if (!other_ || other_->gpu != a.gpu) {
      other_.reset();
      other_ = std::make_unique<Place>(a.gpu);
    }
    return other_.get();
  }

  Place own_;
  std::unique_ptr<Place> other_;
  std::unique_ptr<NearestSearch> guided_;
};

}  // namespace

std::unique_ptr<NearestSearch> make_nearest_gpu(const std::shared_ptr<Gpu>& gpu,
                                                std::unique_ptr<NearestSearch> guided) {
  return std::make_unique<NearestGpu>(gpu, std::move(guided));
}

}  // namespace octavo
