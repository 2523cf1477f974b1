#include "multiview/places/groups.h"

#include <algorithm>
#include <numeric>

namespace octavo::places {
namespace {

class Joining {
 public:
  Joining(std::size_t count, std::span<const std::size_t> owners, std::span<const Link> links)
      : owners_(owners), links_(links), group_(count), sizes_(count, 1) {
    std::iota(group_.begin(), group_.end(), std::size_t{0});
  }

  // Joins until no link may join more: what joined late may let an earlier link join.
  Groups run() {
    std::vector<std::size_t> order(links_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return links_[i].strength; });
    Groups groups;
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (const std::size_t i : order) {
        const std::size_t a = group_of(links_[i].a), b = group_of(links_[i].b);
        if (a == b || !may_join(links_[i], a, b)) continue;
        join(a, b);
        groups.joins.push_back(i);
        has_changed = true;
      }
    }
    std::ranges::stable_sort(groups.joins, std::ranges::greater{}, [&](std::size_t i) { return links_[i].strength; });
    groups.members = members();
    return groups;
  }

 private:
  [[nodiscard]] std::size_t group_of(std::size_t frame) const { return group_[owners_[frame]]; }

  [[nodiscard]] bool may_join(const Link& link, std::size_t a, std::size_t b) const {
    if (link.is_sure || std::min(sizes_[a], sizes_[b]) == 1) return true;
    return std::ranges::any_of(links_, [&](const Link& other) {
      const std::size_t c = group_of(other.a), d = group_of(other.b);
      const bool is_between = (c == a && d == b) || (c == b && d == a);
      const bool shares_frame = other.a == link.a || other.a == link.b || other.b == link.a || other.b == link.b;
      return is_between && !shares_frame;
    });
  }

  void join(std::size_t a, std::size_t b) {
    for (std::size_t& group : group_) {
      if (group == b) group = a;
    }
    sizes_[a] += sizes_[b];
  }

  [[nodiscard]] std::vector<std::vector<std::size_t>> members() const {
    std::vector<std::vector<std::size_t>> all(group_.size());
    for (std::size_t i = 0; i < group_.size(); ++i) all[group_[i]].push_back(i);
    std::erase_if(all, [](const std::vector<std::size_t>& group) { return group.empty(); });
    std::ranges::sort(all);
    return all;
  }

  std::span<const std::size_t> owners_;
  std::span<const Link> links_;
  std::vector<std::size_t> group_, sizes_;  // of each thing: its group; of each group: how many they are
};

}  // namespace

Groups groups_of(std::size_t count, std::span<const std::size_t> owners, std::span<const Link> links) {
  return Joining(count, owners, links).run();
}

}  // namespace octavo::places
