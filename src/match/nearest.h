// Exact nearest neighbours of 128-byte descriptors. The squared distance d² = Σ(aᵢ − bᵢ)² is an integer of 23 bits, so
// every device finds the same answer. Neighbours are ordered by (d², index): equal distances go to the smallest index.
// A device implements NearestSearch; ratio, mutual and distance tests are the same for all (matches.h).

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "device/features_on_gpu.h"
#include "octavo/device.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"

namespace octavo {

/// The largest squared distance of two descriptors.
inline constexpr std::uint32_t max_descriptor_distance2 = std::uint32_t{descriptor_length} * 255 * 255;

/// N×128 bytes, row by row.
using Descriptors = std::span<const std::uint8_t>;

/// Who is nearest to whom in two sets.
struct Neighbours {
  std::vector<NearestTwo> of_a;    ///< for each a its two nearest b
  std::vector<std::int32_t> of_b;  ///< for each b its nearest a, −1 where there is none; empty unless asked for
};

/// Keeps the two smallest (distance², index) of all that were offered.
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

/// A device's way of finding neighbours. Not shared between threads.
class NearestSearch {
 public:
  virtual ~NearestSearch() = default;

  [[nodiscard]] virtual std::string isa() const = 0;
  /// That may run at the same time when called from here and now.
  [[nodiscard]] virtual int threads() const = 0;

  /// Gives `found` the neighbours of `a` and collection[0], then of `a` and collection[1] …; `both` asks for of_b too.
  virtual void search(Descriptors a, std::span<const Descriptors> collection, bool both,
                      const std::function<void(const Neighbours&)>& found) = 0;

  /// The same for two sets that lie on a GPU; nothing if this search does not reach them there.
  virtual std::optional<Neighbours> search_on_gpu(const FeaturesOnGpu&, const FeaturesOnGpu&, bool /*both*/) {
    return {};
  }

  /// The same, among the pairs that `guide` allows (guide_region.h).
  virtual Neighbours search_guided(const Features& a, const Features& b, const Guide& guide, bool both) = 0;
};

std::unique_ptr<NearestSearch> make_nearest_reference();

/// Throws Error(invalid_option) for threads or an instruction set that cannot be had.
std::unique_ptr<NearestSearch> make_nearest_cpu(const DeviceOptions& options);

}  // namespace octavo
