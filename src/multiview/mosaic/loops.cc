// Loops of pairs (Zach, Klopschitz and Pollefeys, "Disambiguating visual relations using loop constraints", CVPR 2010).
// The homographies of the pairs of a loop, one after the other, map each point to itself if all pairs are right. So
// wrong pairs, of a pattern that repeats or of smooth images, are found before the adjustment, in little time. Loops
// have three pairs, or four where there are none of three, as in a grid whose diagonal neighbours share too little.

#include "multiview/mosaic/loops.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace octavo::mosaic {
namespace {

// The used pairs of each image: its neighbours, and the indices of the pairs.
using Neighbours = std::vector<std::map<int, std::size_t>>;

Neighbours neighbours_of(const std::vector<VerifiedPair>& pairs, std::size_t images) {
  Neighbours list(images);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const MosaicPair& pair = pairs[i].report;
    if (pair.status != MosaicPairStatus::used) continue;
    list[static_cast<std::size_t>(pair.a)].emplace(pair.b, i);
    list[static_cast<std::size_t>(pair.b)].emplace(pair.a, i);
  }
  return list;
}

// The ways from a to b over one other image, or over two if there are none, as images and as indices of pairs.
struct Way {
  std::vector<int> images;
  std::vector<std::size_t> pairs;
};
std::vector<Way> ways(const Neighbours& neighbours, int a, int b) {
  const auto of = [&](int image) -> const std::map<int, std::size_t>& {
    return neighbours[static_cast<std::size_t>(image)];
  };
  std::vector<Way> list;
  for (const auto& [c, first] : of(a)) {
    if (const auto last = of(c).find(b); last != of(c).end()) list.push_back({{a, c, b}, {first, last->second}});
  }
  if (!list.empty()) return list;
  for (const auto& [c, first] : of(a)) {
    if (c == b) continue;
    for (const auto& [d, second] : of(c)) {
      const auto last = d == a ? of(d).end() : of(d).find(b);
      if (last != of(d).end()) list.push_back({{a, c, d, b}, {first, second, last->second}});
    }
  }
  return list;
}

class Loops {
 public:
  Loops(const std::vector<VerifiedPair>& pairs, const std::vector<ImageSize>& sizes)
      : pairs_(pairs), sizes_(sizes), neighbours_(neighbours_of(pairs, sizes.size())) {}

  [[nodiscard]] std::vector<Way> around(std::size_t pair) const {
    return ways(neighbours_, pairs_[pair].report.a, pairs_[pair].report.b);
  }

  // Whether a way leads where the pair does: by the median distance at its inliers.
  [[nodiscard]] bool closes(std::size_t pair, const Way& way) const {
    const VerifiedPair& direct = pairs_[pair];
    cv::Matx33d through = cv::Matx33d::eye();
    for (std::size_t i = 0; i < way.pairs.size(); ++i) {
      const VerifiedPair& step = pairs_[way.pairs[i]];
      through = (step.report.a == way.images[i] ? step.b_from_a : step.b_from_a.inv()) * through;
    }
    const auto a = static_cast<std::size_t>(direct.report.a), b = static_cast<std::size_t>(direct.report.b);
    const cv::Matx33d normalised = normalised_from_pixel(sizes_[b]) * through * normalised_from_pixel(sizes_[a]).inv();
    std::vector<double> apart;
    for (std::size_t i = 0; i < direct.inliers.in_a.size(); ++i) {
      const cv::Point2d &p = direct.inliers.in_a[i], &q = direct.inliers.in_b[i];
      const cv::Vec3d there = normalised * cv::Vec3d(p.x, p.y, 1);
      const double distance = std::hypot(there[0] / there[2] - q.x, there[1] / there[2] - q.y);
      apart.push_back(std::isfinite(distance) ? distance : far);
    }
    const auto middle = apart.begin() + std::ssize(apart) / 2;
    std::nth_element(apart.begin(), middle, apart.end());
    return *middle <= allowed_displacement;
  }

 private:
  const std::vector<VerifiedPair>& pairs_;
  const std::vector<ImageSize>& sizes_;
  Neighbours neighbours_;
};

}  // namespace

std::vector<std::size_t> contradicted_by_loops(const std::vector<VerifiedPair>& pairs,
                                               const std::vector<ImageSize>& sizes) {
  const Loops loops(pairs, sizes);
  std::vector<std::size_t> unconfirmed;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const VerifiedPair& pair = pairs[i];
    if (pair.report.status != MosaicPairStatus::used || pair.report.by_hand || pair.inliers.in_a.empty()) continue;
    const std::vector<Way> around = loops.around(i);
    const bool is_confirmed = std::ranges::any_of(around, [&](const Way& way) { return loops.closes(i, way); });
    if (!around.empty() && !is_confirmed) unconfirmed.push_back(i);
  }
  // The weakest first: of a loop that does not close, one pair is wrong at least.
  std::ranges::stable_sort(unconfirmed, {},
                           [&](std::size_t i) { return std::pair(is_sure(pairs[i].report), pairs[i].report.inliers); });
  std::vector<std::size_t> wrong;
  const auto is_wrong = [&](std::size_t i) { return std::ranges::find(wrong, i) != wrong.end(); };
  for (const std::size_t i : unconfirmed) {
    const bool is_unexplained =
        std::ranges::any_of(loops.around(i), [&](const Way& way) { return std::ranges::none_of(way.pairs, is_wrong); });
    if (is_unexplained || !is_sure(pairs[i].report)) wrong.push_back(i);
  }
  std::ranges::sort(wrong);
  return wrong;
}

}  // namespace octavo::mosaic
