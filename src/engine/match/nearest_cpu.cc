// Nearest neighbours on the CPU: both sides are packed once, then threads take chunks of rows and compare them with the
// columns tile by tile. There is no N×M matrix: a chunk holds two keys per row and lane, and one key per column of the
// current tile. As many sets of a collection as fit a budget are packed together, and all their chunks are submitted at
// once.

#include <tbb/cache_aligned_allocator.h>

#include <algorithm>

#include "engine/core/scratch.h"
#include "engine/device/cpu_isa.h"
#include "engine/device/cpu_pool.h"
#include "engine/match/column_minimum.h"
#include "engine/match/guide_region.h"
#include "engine/match/keypoint_grid.h"
#include "engine/match/nearest.h"
#include "engine/match/nearest_block.h"
#include "engine/match/squared_distance.h"

namespace octavo {

namespace {

template <class T>
using Aligned = std::vector<T, tbb::cache_aligned_allocator<T>>;

// The number of descriptors that a task packs or searches with a guide: enough to outweigh the cost of the task.
constexpr int packed_per_task = 256;
constexpr int guided_per_task = 64;

// The greatest number of rows of a chunk. Row numbers must fit a key.
constexpr int chunk_rows = key_numbers / block_rows * block_rows;

// Chunks per thread, so that threads end at about the same time.
constexpr int chunks_per_thread = 8;

int row_count(Descriptors descriptors) { return static_cast<int>(rows_of(descriptors)); }

int chunks_of(std::size_t n, int step) { return static_cast<int>((n + step - 1) / step); }

class NearestCpu final : public NearestSearch {
 public:
  NearestCpu(const Isa& isa, CpuPool pool)
      : pool_(std::move(pool)), block_(nearest_block(isa)), distances_(squared_distances(isa)) {}

  [[nodiscard]] int threads() const override { return pool_.threads(); }

  void search(Descriptors a, std::span<const Descriptors> collection, bool both,
              const std::function<void(const Neighbours&)>& found) override {
    pool_.stage("nearest neighbours");
    pack_rows(a);
    while (!collection.empty()) {
      std::size_t count = 0, bytes = 0;
      do {
        bytes += collection[count++].size() + rows_of(a) * sizeof(NearestTwo);
      } while (count < collection.size() && bytes < batch_bytes);
      search_batch(row_count(a), collection.first(count), both, found);
      collection = collection.subspan(count);
    }
  }

  Neighbours search_guided(const Features& a, const Features& b, const Guide& guide, bool both) override {
    pool_.stage("guided neighbours");
    const int rows = static_cast<int>(a.size());
    const KeypointGrid grid(b.keypoints, guide.radius);
    std::vector<NearestTwo> of_a(rows);
    ColumnMinimum of_b(both ? b.size() : 0);
    in_pieces(rows, guided_per_task, [&](int begin, int end) {
      std::vector<std::int32_t> candidates;
      std::vector<std::uint32_t> distance2;
      for (int i = begin; i < end; ++i) {
        grid.find(GuideRegion(guide, a.keypoints[i]), candidates);
        distance2.resize(candidates.size());
        distances_(a.descriptor(i).data(), b.descriptors.data(), candidates, distance2.data());
        for (std::size_t k = 0; k < candidates.size(); ++k) {
          offer(of_a[i], distance2[k], candidates[k]);
          if (both) of_b.offer(candidates[k], distance2[k], i);
        }
      }
    });
    return {std::move(of_a), of_b.rows()};
  }

  [[nodiscard]] MemoryNeed memory_for(std::size_t rows, std::size_t columns, bool both) const override {
    const auto packed = [](std::size_t count, int step, std::size_t words) {
      const std::uint64_t parts = (count + static_cast<std::size_t>(step) - 1) / static_cast<std::size_t>(step);
      return parts * (words * sizeof(std::int32_t) + static_cast<std::uint64_t>(step) * sizeof(std::uint32_t));
    };
    const std::uint64_t bytes =
        packed(rows, block_.rows_per_group, group_words()) + packed(columns, block_.columns_per_panel, panel_words()) +
        bytes_of_neighbours(rows, columns, both) + (both ? columns * sizeof(std::uint64_t) : 0);  // ColumnMinimum
    return {{bytes, 0}, {bytes + static_cast<std::uint64_t>(pool_.threads()) * scratch_of_thread, 0}};
  }

 private:
  // A set of the batch: its panels within the packed columns, and its results.
  struct Set {
    int columns;
    std::size_t first_panel;
    int panels;
    std::vector<NearestTwo> of_a;
    ColumnMinimum of_b;
  };

  std::size_t group_words() const {
    return static_cast<std::size_t>(block_.rows_per_group) * block_.words_per_descriptor;
  }
  std::size_t panel_words() const {
    return static_cast<std::size_t>(block_.columns_per_panel) * block_.words_per_descriptor;
  }

  // Calls work(begin, end) for pieces of [0, count), shared among the threads.
  template <class Work>
  void in_pieces(int count, int piece, const Work& work) {
    pool_.parallel_for(chunks_of(count, piece), [&](int task, int) {
      const int begin = task * piece;
      work(begin, begin + std::min(piece, count - begin));
    });
  }

  // Cuts descriptors into parts of at most `step`.
  static void cut(Descriptors descriptors, int step, std::vector<Descriptors>& parts) {
    const std::size_t bytes = step * descriptor_length;
    for (; !descriptors.empty(); descriptors = descriptors.subspan(parts.back().size())) {
      parts.push_back(descriptors.first(std::min(bytes, descriptors.size())));
    }
  }

  void pack_rows(Descriptors a) {
    std::vector<Descriptors> groups;
    cut(a, block_.rows_per_group, groups);
    row_words_.resize(groups.size() * group_words());
    row_terms_.resize(groups.size() * block_.rows_per_group);
    in_pieces(static_cast<int>(groups.size()), packed_per_task / block_.rows_per_group, [&](int begin, int end) {
      for (int g = begin; g < end; ++g) {
        block_.pack_rows(groups[g].data(), row_count(groups[g]), &row_words_[g * group_words()],
                         row_terms_.data() + static_cast<std::size_t>(g) * block_.rows_per_group);
      }
    });
  }

  void pack_columns(std::span<const Descriptors> panels) {
    column_words_.resize(panels.size() * panel_words());
    column_terms_.resize(panels.size() * block_.columns_per_panel);
    in_pieces(static_cast<int>(panels.size()), packed_per_task / block_.columns_per_panel, [&](int begin, int end) {
      for (int p = begin; p < end; ++p) {
        block_.pack_columns(panels[p].data(), row_count(panels[p]), &column_words_[p * panel_words()],
                            column_terms_.data() + static_cast<std::size_t>(p) * block_.columns_per_panel);
      }
    });
  }

  void search_batch(int rows, std::span<const Descriptors> batch, bool both,
                    const std::function<void(const Neighbours&)>& found) {
    std::vector<Descriptors> panels;
    std::vector<Set> sets;
    for (const Descriptors& b : batch) {
      const std::size_t first = panels.size();
      cut(b, block_.columns_per_panel, panels);
      sets.push_back({row_count(b), first, static_cast<int>(panels.size() - first), std::vector<NearestTwo>(rows),
                      ColumnMinimum(both ? row_count(b) : 0)});
    }
    pack_columns(panels);

    // Chunks of whole groups: few enough to outweigh their overhead and many enough for every thread.
    const int groups = chunks_of(rows, block_.rows_per_group);
    const std::size_t wanted = static_cast<std::size_t>(pool_.threads()) * chunks_per_thread;
    const int groups_per_chunk =
        std::clamp(chunks_of(groups * sets.size(), static_cast<int>(wanted)), 1, chunk_rows / block_.rows_per_group);
    const int step = groups_per_chunk * block_.rows_per_group;
    const int chunks = chunks_of(rows, step);
    pool_.parallel_for(static_cast<int>(sets.size()) * chunks, [&](int task, int) {
      const int begin = task % chunks * step;
      search_chunk(begin, begin + std::min(step, rows - begin), sets[task / chunks], both);
    });
    for (Set& set : sets) found({std::move(set.of_a), set.of_b.rows()});
  }

  // Compares rows [begin, end) with all columns of a set.
  void search_chunk(int begin, int end, Set& set, bool both) const {
    const int tile_columns = block_.panels_per_tile * block_.columns_per_panel;
    Aligned<std::uint32_t> column_keys(both ? tile_columns : 0);
    for (int first_panel = 0; first_panel < set.panels; first_panel += block_.panels_per_tile) {
      const int panels = std::min(block_.panels_per_tile, set.panels - first_panel);
      const std::size_t panel = set.first_panel + first_panel;
      const int first_column = first_panel * block_.columns_per_panel;
      const PackedColumns tile{column_words_.data() + panel * panel_words(),
                               column_terms_.data() + panel * block_.columns_per_panel};
      std::ranges::fill(column_keys, UINT32_MAX);
      for (int row = begin; row < end; row += block_rows) {
        const PackedRows block{row_words_.data() + row / block_.rows_per_group * group_words(),
                               row_terms_.data() + row};
        block_.scan(block, std::min(block_rows, end - row), row - begin, tile, panels, first_column,
                    set.of_a.data() + row, both ? column_keys.data() : nullptr);
      }
      if (!both) continue;
      for (int c = 0; c < std::min(tile_columns, set.columns - first_column); ++c) {
        set.of_b.offer(first_column + c, column_keys[c] / key_numbers,
                       begin + static_cast<int>(column_keys[c] % key_numbers));
      }
    }
  }

  CpuPool pool_;
  NearestBlock block_;
  SquaredDistances distances_;
  Aligned<std::int32_t> row_words_, column_words_;
  Aligned<std::uint32_t> row_terms_, column_terms_;
};

}  // namespace

std::unique_ptr<NearestSearch> make_nearest_cpu(const Isa& isa, CpuPool pool) {
  return std::make_unique<NearestCpu>(isa, std::move(pool));
}

}  // namespace octavo
