// From pairs to connected images.

#include "multiview/mosaic/connect.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "multiview/mosaic/refine.h"

namespace octavo::mosaic {
namespace {

// The used pair that is to be left out, since the others contradict it; none if they contradict none. Of several, one
// that is not sure is wrong, and of equals the weakest: a wrong pair pulls right ones away as far as itself. What is
// set by hand stays.
VerifiedPair* contradicted(Connected& connected, double threshold) {
  std::vector<std::pair<double, VerifiedPair*>> used;
  for (VerifiedPair& pair : connected.pairs) {
    if (pair.report.status != MosaicPairStatus::used || !connected.is_member(pair.report.a)) continue;
    used.emplace_back(error_of(connected.choice.frames, pair).median, &pair);
  }
  if (used.size() < 3) return nullptr;
  const auto middle = used.begin() + std::ssize(used) / 2;
  std::nth_element(used.begin(), middle, used.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  // A wrong pair's median distance is above so many thresholds of an inlier, and above so many usual medians; guesses.
  constexpr double thresholds = 4, usual_medians = 5;
  const double largest = std::max(thresholds * threshold, usual_medians * middle->first);
  std::vector<VerifiedPair*> suspects;
  for (const auto& [median, pair] : used) {
    if (median > largest) suspects.push_back(pair);
  }
  // Where a pair of the tree is pulled apart, one that closes a loop through it may have done so.
  const std::vector<VerifiedPair*> apart = suspects;
  for (const auto& [median, pair] : used) {
    const std::vector<std::size_t> way = way_through(connected.tree, pair->report.a, pair->report.b);
    const bool is_through = way.size() > 1 && std::any_of(way.begin(), way.end(), [&](std::size_t k) {
                              return std::find(apart.begin(), apart.end(), &connected.pairs[k]) != apart.end();
                            });
    if (is_through) suspects.push_back(pair);
  }
  std::erase_if(suspects, [](const VerifiedPair* pair) { return pair->report.by_hand; });
  if (suspects.empty()) return nullptr;
  return *std::min_element(suspects.begin(), suspects.end(), [](const VerifiedPair* x, const VerifiedPair* y) {
    const MosaicPair &one = x->report, &other = y->report;
    return std::tuple(is_sure(one), one.inliers, one.a, one.b) <
           std::tuple(is_sure(other), other.inliers, other.a, other.b);
  });
}

// Models begin at their earlier fits, until a pair turns out to be wrong: it may have led them astray.
Connected connect_once(std::vector<VerifiedPair> pairs, const Cameras& cameras, double threshold,
                       const MosaicOptions& options, std::vector<Frames>& fits, const ProgressSink& progress) {
  constexpr int most_rounds = 20;  // of removing a pair: it bounds the time; not tuned
  Connected connected{std::move(pairs), {}, {}, {}, false};
  for (int round = 0; round <= most_rounds; ++round) {
    connected.group = groups(static_cast<int>(cameras.sizes.size()), connected.pairs);
    connected.tree = strongest_tree(connected.group, 0, connected.pairs);
    connected.found = !connected.tree.branches.empty();
    if (!connected.found) break;
    connected.choice = choose_model(connected.tree, connected.pairs, cameras, options, fits, progress);
    VerifiedPair* const wrong = contradicted(connected, threshold);
    if (wrong == nullptr) break;
    wrong->report.status = MosaicPairStatus::inconsistent;
    fits.clear();
  }
  return connected;
}

}  // namespace

Connected connect(std::vector<VerifiedPair> pairs, const Cameras& cameras, const std::vector<GreyImage>& greys,
                  const RobustOptions& robust, const MosaicOptions& options, const ProgressSink& progress) {
  const std::vector<ImageSize>& sizes = cameras.sizes;
  constexpr int comparisons = 2;  // not tuned: the second begins at better places, and leaves out what is far off there
  // Of half the diagonal: how far a weak pair may be from where the strong ones place its images, whose errors add up;
  // a guess.
  constexpr double allowed_part = 0.1;
  const std::vector<std::size_t> weak = weak_pairs(pairs, groups(static_cast<int>(sizes.size()), pairs));
  for (const std::size_t i : weak) pairs[i].report.status = MosaicPairStatus::inconsistent;
  std::vector<Frames> fits;
  Connected connected = connect_once(std::move(pairs), cameras, robust.threshold, options, fits, progress);
  for (const std::size_t i : weak) {
    VerifiedPair& pair = connected.pairs[i];
    const double allowed = allowed_part * half_diagonal(sizes[static_cast<std::size_t>(pair.report.a)]);
    if (error_of(connected.choice.frames, pair).median <= allowed) pair.report.status = MosaicPairStatus::used;
  }
  for (int round = 0; round < comparisons && connected.found; ++round) {
    report(progress, "comparing intensities");
    compare_neighbours(connected.pairs, connected.choice.frames, connected.group, greys, sizes, robust.threshold);
    // In the end all models compete once more; before, the one that has won is enough for the places.
    MosaicOptions now = options;
    if (round + 1 < comparisons) now.model = connected.choice.chosen.model;
    connected = connect_once(std::move(connected.pairs), cameras, robust.threshold, now, fits, progress);
  }
  return connected;
}

}  // namespace octavo::mosaic
