// Files that are the same thing: the connected components of the graph of clips whose edges are pairs with high
// coverage both ways, found by joining sets (Galler and Fischer 1964).

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>

#include "octavo/video/video_report.h"

namespace octavo {
namespace {

class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t root(std::size_t i) {
    for (; parent_[i] != i; i = parent_[i]) parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t i, std::size_t j) { parent_[root(i)] = root(j); }

 private:
  std::vector<std::size_t> parent_;
};

// A clip that shows an image is another thing than the image, unless a person says so.
bool is_same(const ReportPair& pair, const VideoReport& report) {
  if (pair.verdict) return pair.verdict->judgement == Judgement::same;
  const auto shows_time = [&](std::size_t i) { return !is_image(report.clips[i].clip.facts); };
  const double coverage = report.same_coverage;
  if (shows_time(pair.a) != shows_time(pair.b)) return false;
  return pair.a_coverage >= coverage && pair.b_coverage >= coverage;
}

std::uint64_t bytes_of(const ArchivedClip& clip) { return clip.size * clip.files.size(); }

std::int64_t pixels_of(const ArchivedClip& clip) { return std::int64_t{clip.facts.width} * clip.facts.height; }

}  // namespace

std::vector<std::vector<std::size_t>> groups_of(const VideoReport& report) {
  Sets sets(report.clips.size());
  for (const ReportPair& pair : report.pairs) {
    if (is_same(pair, report)) sets.join(pair.a, pair.b);
  }
  std::map<std::size_t, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < report.clips.size(); ++i) members[sets.root(i)].push_back(i);
  const auto clip = [&](std::size_t i) -> const ArchivedClip& { return report.clips[i].clip; };
  std::vector<std::vector<std::size_t>> groups;
  for (auto& [root, group] : members) {
    if (group.size() == 1 && clip(group.front()).files.size() < 2) continue;
    std::ranges::stable_sort(group, std::ranges::greater{},
                             [&](std::size_t i) { return std::tuple(pixels_of(clip(i)), clip(i).size); });
    groups.push_back(std::move(group));
  }
  std::ranges::stable_sort(groups, std::ranges::greater{}, [&](const std::vector<std::size_t>& group) {
    return std::transform_reduce(group.begin(), group.end(), std::uint64_t{0}, std::plus{},
                                 [&](std::size_t i) { return bytes_of(clip(i)); });
  });
  return groups;
}

}  // namespace octavo
