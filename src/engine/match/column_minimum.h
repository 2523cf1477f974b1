// Finds for each b its nearest a, in many threads at once. (d², index) is packed in one number that only decreases, so
// neither the order of the candidates nor their threads matter.

#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace octavo {

class ColumnMinimum {
 public:
  explicit ColumnMinimum(std::size_t columns) : keys_(columns, none) {}

  /// Safe to call from several threads.
  void offer(std::size_t column, std::uint32_t distance2, std::int32_t row) {
    const std::uint64_t key = std::uint64_t{distance2} << 32 | static_cast<std::uint32_t>(row);
    const std::atomic_ref<std::uint64_t> smallest(keys_[column]);
    std::uint64_t seen = smallest.load(std::memory_order_relaxed);
    while (key < seen && !smallest.compare_exchange_weak(seen, key, std::memory_order_relaxed)) {
    }
  }

  /// The row of the minimum of each column; −1 without candidates.
  [[nodiscard]] std::vector<std::int32_t> rows() const {
    std::vector<std::int32_t> rows;
    rows.reserve(keys_.size());
    for (const std::uint64_t key : keys_) rows.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(key)));
    return rows;
  }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0};  // its lower half is the index −1
  std::vector<std::uint64_t> keys_;
};

}  // namespace octavo
