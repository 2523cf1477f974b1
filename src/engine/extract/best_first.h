// The best of a list by their scores, a part at a time, so that work is spent only on those that are needed.

#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace octavo {

class BestFirst {
 public:
  /// The scores of the items 0…n − 1.
  explicit BestFirst(std::vector<float> scores) : scores_(std::move(scores)), order_(scores_.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }

  [[nodiscard]] bool is_empty() const { return taken_ == order_.size(); }

  /// Takes the `count` best of the items that are left, and all that have the score of the last of these; at least
  /// one. Their indices ascend.
  std::vector<std::size_t> take(std::size_t count) {
    const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(taken_);
    auto end = order_.end();
    if (count < order_.size() - taken_) {
      const auto last = begin + static_cast<std::ptrdiff_t>(count) - 1;
      std::nth_element(begin, last, end, [&](std::size_t a, std::size_t b) { return scores_[a] > scores_[b]; });
      const float least = scores_[*last];
      end = std::partition(last + 1, end, [&](std::size_t i) { return scores_[i] == least; });
    }
    taken_ = static_cast<std::size_t>(end - order_.begin());
    std::sort(begin, end);
    return {begin, end};
  }

 private:
  std::vector<float> scores_;
  std::vector<std::size_t> order_;  // the items that were taken come first
  std::size_t taken_ = 0;
};

}  // namespace octavo
