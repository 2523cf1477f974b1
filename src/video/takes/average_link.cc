// By chains of nearest neighbours (Murtagh 1983): two groups that are each other's nearest are joined wherever they are
// found, which for average link gives the groups that joining the most similar ones first gives. So n things take time
// and memory of n².

#include "video/takes/average_link.h"

#include <algorithm>

namespace octavo {

std::vector<std::vector<std::size_t>> average_link(std::vector<double> similarity, std::size_t n, double least) {
  std::vector<std::vector<std::size_t>> groups(n), result;
  for (std::size_t i = 0; i < n; ++i) groups[i] = {i};
  std::vector<std::size_t> chain;
  const auto is_left = [&](std::size_t i) { return !groups[i].empty(); };
  const auto finish = [&](std::size_t i) {
    result.push_back(std::move(groups[i]));
    groups[i].clear();
  };
  for (std::size_t first = 0; first < n;) {
    if (chain.empty()) {
      if (!is_left(first)) {
        ++first;
        continue;
      }
      chain.push_back(first);
    }
    const std::size_t here = chain.back();
    const std::size_t before = chain.size() > 1 ? chain[chain.size() - 2] : n;
    // Of equal neighbours the one before in the chain is taken, so that the chain ends.
    std::size_t nearest = before;
    double most = before < n ? similarity[here * n + before] : -1;
    for (std::size_t i = 0; i < n; ++i) {
      if (i == here || !is_left(i) || similarity[here * n + i] <= most) continue;
      most = similarity[here * n + i];
      nearest = i;
    }
    if (nearest == n || most < least) {
      // Nothing is similar to this group, and groups that are joined elsewhere become no more similar to it.
      finish(here);
      chain.pop_back();
    } else if (nearest == before) {
      chain.resize(chain.size() - 2);
      const auto size = static_cast<double>(groups[here].size()), other = static_cast<double>(groups[before].size());
      for (std::size_t i = 0; i < n; ++i) {
        const double mean = (size * similarity[here * n + i] + other * similarity[before * n + i]) / (size + other);
        similarity[here * n + i] = similarity[i * n + here] = mean;
      }
      groups[here].insert(groups[here].end(), groups[before].begin(), groups[before].end());
      groups[before].clear();
    } else {
      chain.push_back(nearest);
    }
  }
  for (std::vector<std::size_t>& group : result) std::ranges::sort(group);
  std::ranges::sort(result);
  return result;
}

}  // namespace octavo
