// Where the adjustment begins with a lens that bends much: without it, focal lengths end in another minimum.

#include "multiview/mosaic/known_lenses.h"

#include <algorithm>

#include "multiview/mosaic/adjustment.h"
#include "multiview/mosaic/two_frames.h"

namespace octavo::mosaic {
namespace {

constexpr std::size_t matches_of_each = 300;  // of a pair; they bound the time, not tuned

}  // namespace

std::optional<KnownLenses> known_lenses(const Tree& tree, const std::vector<VerifiedPair>& pairs,
                                        const std::vector<ImageSize>& sizes, const std::vector<int>& group,
                                        std::size_t groups) {
  std::vector<std::vector<double>> known(groups);
  for (const Tree::Branch& branch : tree.branches) {
    const VerifiedPair& pair = pairs[branch.pair];
    const int size = group[static_cast<std::size_t>(pair.report.a)];
    if (pair.radial != 0) known[static_cast<std::size_t>(size)].push_back(pair.radial);
  }
  if (std::ranges::all_of(known, &std::vector<double>::empty)) return {};
  KnownLenses lenses;
  for (std::vector<double>& of_size : known) {
    const auto middle = of_size.begin() + std::ssize(of_size) / 2;
    std::ranges::nth_element(of_size, middle);
    lenses.radial.push_back(of_size.empty() ? 0 : *middle);
  }
  for (const Tree::Branch& branch : tree.branches) {
    const VerifiedPair& pair = pairs[branch.pair];
    const auto a = static_cast<std::size_t>(pair.report.a), b = static_cast<std::size_t>(pair.report.b);
    Frames frames = two_frames(pair.b_from_a, sizes[a], sizes[b]);
    frames.distortion = true;
    frames.group = {0, 1};
    frames.log_focal = {0, 0};
    frames.radial = {lenses.radial[static_cast<std::size_t>(group[a])],
                     lenses.radial[static_cast<std::size_t>(group[b])]};
    frames.held_radial = {0, 1};
    PairPoints points = some_of(pair.inliers, matches_of_each);
    points.a = 0;
    points.b = 1;
    adjust(frames, {points}, 0, usual_huber, to_compare);
    const cv::Matx33d a_from_b = frames.base[0].inv() * frames.base[1];
    lenses.parent_from_child.push_back(branch.child == pair.report.b ? a_from_b : a_from_b.inv());
  }
  return lenses;
}

}  // namespace octavo::mosaic
