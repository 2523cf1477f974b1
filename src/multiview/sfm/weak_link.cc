// The links are those of the spanning tree with most shared points (Kruskal, 1956).

#include "multiview/sfm/weak_link.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

namespace octavo::sfm {
namespace {

struct Link {
  std::size_t points, a, b;
};

// The images that share points, those that share most first.
std::vector<Link> links_of(const std::vector<const SfmImage*>& images) {
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> seen_by;
  for (std::size_t i = 0; i < images.size(); ++i) {
    for (const SfmObservation& seen : images[i]->observations) {
      if (seen.point == SfmObservation::no_point) continue;
      std::vector<std::size_t>& track = seen_by[seen.point];
      if (track.empty() || track.back() != i) track.push_back(i);
    }
  }
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> shared;
  for (const auto& [point, track] : seen_by) {
    for (std::size_t i = 0; i < track.size(); ++i) {
      for (std::size_t j = i + 1; j < track.size(); ++j) ++shared[{track[i], track[j]}];
    }
  }
  std::vector<Link> links;
  for (const auto& [pair, points] : shared) links.push_back({points, pair.first, pair.second});
  std::ranges::stable_sort(links, std::ranges::greater{}, &Link::points);
  return links;
}

}  // namespace

WeakLink weakest_link(const SfmModel& model) {
  constexpr std::size_t fewest_images = 3;  // of a part; single images hang on by few points often
  std::vector<const SfmImage*> images;
  for (const auto& [id, image] : model.images) images.push_back(&image);
  std::vector<std::size_t> part(images.size()), size(images.size(), 1);
  std::iota(part.begin(), part.end(), 0);
  WeakLink weakest;
  std::vector<std::size_t> of_tree;
  for (const Link& link : links_of(images)) {
    const std::size_t a = part[link.a], b = part[link.b];
    if (a == b) continue;
    of_tree.push_back(link.points);
    if (std::min(size[a], size[b]) >= fewest_images) {
      weakest = {.points = link.points,
                 .a = images[link.a]->name,
                 .b = images[link.b]->name,
                 .smaller_part = std::min(size[a], size[b])};
    }
    size[a] += size[b];
    std::ranges::replace(part, b, a);
  }
  if (weakest.smaller_part > 0) weakest.usual_points = static_cast<double>(of_tree[of_tree.size() / 2]);
  return weakest;
}

}  // namespace octavo::sfm
