// By chains of nearest neighbours (Murtagh 1983): two groups that are each other's nearest are joined wherever they are
// found, which for average link gives the groups that joining the most similar ones first gives. So n things take time
// and memory of n².

#include "video/takes/average_link.h"

#include <algorithm>
#include <utility>

namespace octavo {
namespace {

// The group that is most similar to `here`, and how similar it is. Of equal ones it is `before`, the one before in the
// chain, so that the chain ends.
std::pair<std::size_t, double> nearest_of(const std::vector<double>& similarity,
                                          const std::vector<std::vector<std::size_t>>& groups, std::size_t here,
                                          std::size_t before) {
  const std::size_t n = groups.size();
  std::pair nearest(before, before < n ? similarity[here * n + before] : -1);
  for (std::size_t i = 0; i < n; ++i) {
    if (i == here || groups[i].empty() || similarity[here * n + i] <= nearest.second) continue;
    nearest = {i, similarity[here * n + i]};
  }
  return nearest;
}

}  // namespace

std::vector<std::vector<std::size_t>> average_link(std::vector<double> similarity, std::size_t n, double least) {
  std::vector<std::vector<std::size_t>> groups(n), result;
  for (std::size_t i = 0; i < n; ++i) groups[i] = {i};
  std::vector<std::size_t> chain;
  const auto finish = [&](std::size_t i) {
    result.push_back(std::move(groups[i]));
    groups[i].clear();
  };
  for (std::size_t first = 0; first < n;) {
    if (chain.empty() && groups[first].empty()) {
      ++first;
      continue;
    }
    if (chain.empty()) chain.push_back(first);
    const std::size_t here = chain.back();
    const std::size_t before = chain.size() > 1 ? chain[chain.size() - 2] : n;
    const auto [nearest, most] = nearest_of(similarity, groups, here, before);
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
