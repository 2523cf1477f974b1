// Exact nearest neighbours of 128-byte descriptors. The squared distance d² = Σ(aᵢ − bᵢ)² is an integer of 23 bits, so
// every device finds the same result. Neighbours are ordered by (d², index): of equal distances the smallest index is
// first. A device implements NearestSearch. The ratio, mutual and distance tests are the same for all (matches.h).

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/device/cpu_isa.h"
#include "engine/device/cpu_pool.h"
#include "engine/device/host_memory.h"
#include "engine/device/registry.h"
#include "engine/extract/features_on_gpu.h"
#include "octavo/device.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"
#include "octavo/progress.h"

namespace octavo {

/// The largest squared distance of two descriptors.
inline constexpr std::uint32_t max_descriptor_distance2 = std::uint32_t{descriptor_length} * 255 * 255;

/// N×128 bytes, row by row.
using Descriptors = std::span<const std::uint8_t>;

/// The number of descriptors.
inline std::size_t rows_of(Descriptors descriptors) { return descriptors.size() / descriptor_length; }

/// [byte] The approximate size of descriptors and results of the sets that are searched together; at least one set.
inline constexpr std::size_t batch_bytes = std::size_t{64} << 20;

/// The nearest neighbours of two sets.
struct Neighbours {
  std::vector<NearestTwo> of_a;  ///< for each a its two nearest b
  /// For each b its nearest a, −1 if there is none. Empty unless requested.
  std::vector<std::int32_t> of_b;
};

/// Keeps the two smallest (distance², index) of all candidates.
inline void offer(NearestTwo& two, std::uint32_t distance2, std::int32_t index) {
  const auto before = [&](int k) {
    // The index −1 of an absent neighbour counts as the largest.
    return std::pair(distance2, static_cast<std::uint32_t>(index)) <
           std::pair(two.distance2[k], static_cast<std::uint32_t>(two.index[k]));
  };
  if (!before(1)) return;
  const int rank = before(0) ? 0 : 1;
  if (rank == 0) {
    two.index[1] = two.index[0];
    two.distance2[1] = two.distance2[0];
  }
  two.index[rank] = index;
  two.distance2[rank] = distance2;
}

/// The search of a device. Not shared between threads.
class NearestSearch {
 public:
  virtual ~NearestSearch() = default;

  /// The number of threads that may run at the same time in a call from the current thread.
  [[nodiscard]] virtual int threads() const = 0;

  /// Calls `found` with the neighbours of `a` and collection[0], then of `a` and collection[1], and so on. `both`
  /// requests of_b too.
  virtual void search(Descriptors a, std::span<const Descriptors> collection, bool both,
                      const std::function<void(const Neighbours&)>& found) = 0;

  /// Copies features to the GPU; null if this search has none.
  virtual std::shared_ptr<const FeaturesOnGpu> upload(const Features& /*features*/) { return nullptr; }

  /// The neighbours of two sets on a GPU; empty if this search cannot read them there.
  virtual std::optional<Neighbours> search_on_gpu(const FeaturesOnGpu&, const FeaturesOnGpu&, bool /*both*/) {
    return {};
  }

  /// The neighbours of two sets among the pairs that `guide` allows (guide_region.h).
  virtual Neighbours search_guided(const Features& a, const Features& b, const Guide& guide, bool both) = 0;

  /// The memory that `search` takes for one set of `columns` descriptors and `rows` descriptors of `a`, with its
  /// result.
  [[nodiscard]] virtual MemoryNeed memory_for(std::size_t rows, std::size_t columns, bool both) const = 0;
  /// The GPU that it works on; null if that is none.
  [[nodiscard]] virtual const Gpu* gpu() const { return nullptr; }
  /// Throws Error(out_of_memory) if memory of which `held` bytes are taken already is not available.
  virtual void require_memory(const MemoryNeed& need, const MemoryBytes& held, const std::string& subject) const {
    require_host_memory(need.least.host, held.host, subject);
  }
};

/// [byte] of the Neighbours of two sets.
constexpr std::uint64_t bytes_of_neighbours(std::uint64_t rows, std::uint64_t columns, bool both) {
  return rows * sizeof(NearestTwo) + (both ? columns * sizeof(std::int32_t) : 0);
}

std::unique_ptr<NearestSearch> make_nearest_reference(ProgressSink progress = {});

std::unique_ptr<NearestSearch> make_nearest_cpu(const Isa& isa, CpuPool pool);

/// Makes the search of a device. Throws Error(device_unavailable).
std::unique_ptr<NearestSearch> make_nearest(const ResolvedDevice& device);

}  // namespace octavo
