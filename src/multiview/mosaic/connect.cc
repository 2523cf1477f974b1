// From pairs to connected images.

#include "multiview/mosaic/connect.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "multiview/mosaic/loops.h"
#include "multiview/mosaic/refine.h"

namespace octavo::mosaic {
namespace {

// The used pairs of which some contradict others: those that are pulled apart, and those that close a loop through
// such a pair of the tree, which they may have pulled apart. None is set by hand.
std::vector<VerifiedPair*> suspects_of(Connected& connected, double threshold) {
  std::vector<std::pair<double, VerifiedPair*>> used;
  for (VerifiedPair& pair : connected.pairs) {
    if (pair.report.status != MosaicPairStatus::used || !connected.is_member(pair.report.a)) continue;
    used.emplace_back(error_of(connected.choice.frames, pair).median, &pair);
  }
  if (used.size() < 3) return {};
  const auto middle = used.begin() + std::ssize(used) / 2;
  std::nth_element(used.begin(), middle, used.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
  // A wrong pair's median distance is above so many thresholds of an inlier, and above so many usual medians; guesses.
  constexpr double thresholds = 4, usual_medians = 5;
  const double largest = std::max(thresholds * threshold, usual_medians * middle->first);
  std::vector<VerifiedPair*> suspects;
  for (const auto& [median, pair] : used) {
    if (median > largest) suspects.push_back(pair);
  }
  const std::vector<VerifiedPair*> apart = suspects;
  for (const auto& [median, pair] : used) {
    const std::vector<std::size_t> way = way_through(connected.tree, pair->report.a, pair->report.b);
    const bool is_through = way.size() > 1 && std::any_of(way.begin(), way.end(), [&](std::size_t k) {
                              return std::find(apart.begin(), apart.end(), &connected.pairs[k]) != apart.end();
                            });
    if (is_through) suspects.push_back(pair);
  }
  std::erase_if(suspects, [](const VerifiedPair* pair) { return pair->report.by_hand; });
  return suspects;
}

// The pairs that are to be left out, since the others contradict them. A wrong pair pulls right ones away as far as
// itself: of those that hang together one is left out, which is trusted least, and of equals the weakest.
std::vector<VerifiedPair*> contradicted(Connected& connected, double threshold) {
  std::vector<VerifiedPair*> suspects = suspects_of(connected, threshold);
  std::ranges::sort(suspects, {}, [](const VerifiedPair* pair) {
    const MosaicPair& one = pair->report;
    return std::tuple(trust(*pair), one.inliers, one.a, one.b);
  });
  std::vector<VerifiedPair> copies;
  for (const VerifiedPair* const pair : suspects) copies.push_back({pair->report, {}, {}});
  const std::vector<int> group = groups(static_cast<int>(connected.group.size()), copies);
  std::vector<VerifiedPair*> weakest;
  std::set<int> done;
  for (VerifiedPair* const pair : suspects) {
    if (done.insert(group[static_cast<std::size_t>(pair->report.a)]).second) weakest.push_back(pair);
  }
  return weakest;
}

// Models begin at their earlier fits, until a pair turns out to be wrong: it may have led them astray.
Connected connect_once(std::vector<VerifiedPair> pairs, const Cameras& cameras, double threshold,
                       const MosaicOptions& options, std::vector<Frames>& fits, const ProgressSink& progress) {
  constexpr int most_rounds = 20;  // of removing pairs: it bounds the time; not tuned
  Connected connected{std::move(pairs), {}, {}, {}, false};
  for (int round = 0; round <= most_rounds; ++round) {
    connected.group = groups(static_cast<int>(cameras.sizes.size()), connected.pairs);
    connected.tree = strongest_tree(connected.group, 0, connected.pairs);
    connected.found = !connected.tree.branches.empty();
    if (!connected.found) break;
    connected.choice = choose_model(connected.tree, connected.pairs, cameras, options, fits, progress);
    const std::vector<VerifiedPair*> wrong = contradicted(connected, threshold);
    if (wrong.empty()) break;
    for (VerifiedPair* const pair : wrong) pair->report.status = MosaicPairStatus::inconsistent;
    fits.clear();
  }
  return connected;
}

// Takes back the pairs that were left out and agree with the adjusted images.
void take_back(Connected& connected, const std::vector<std::size_t>& left_out, const std::vector<ImageSize>& sizes) {
  for (const std::size_t i : left_out) {
    VerifiedPair& pair = connected.pairs[i];
    if (!connected.is_member(pair.report.a) || !connected.is_member(pair.report.b)) continue;
    const double allowed = allowed_displacement * half_diagonal(sizes[static_cast<std::size_t>(pair.report.a)]);
    if (error_of(connected.choice.frames, pair).median <= allowed) pair.report.status = MosaicPairStatus::used;
  }
}

// Takes back the pairs that were left out and close a ring of a turning camera. Without them the focal length is less
// sure, and so the ring's ends may lie far apart; a right pair brings them together and leaves the others where they
// meet, a wrong one pulls them apart.
void close_rings(Connected& connected, const std::vector<std::size_t>& left_out, const Cameras& cameras,
                 double threshold, const MosaicOptions& options, std::vector<Frames>& fits,
                 const ProgressSink& progress) {
  constexpr std::size_t most = 4;  // pairs that are tried: it bounds the time; not tuned
  // Times the error of held-out matches without the pair, and some more [pixel]. A right pair of a lens that bends made
  // it 1.3 times as large, wrong ones 20 times and more; guesses.
  constexpr double factor = 2, more = 0.5;
  std::vector<std::size_t> tried;
  for (const std::size_t i : left_out) {
    const MosaicPair& pair = connected.pairs[i].report;
    const bool is_between = connected.is_member(pair.a) && connected.is_member(pair.b);
    const bool is_supported = is_sure(pair) && pair.patches > 0;
    if (is_between && is_supported && pair.status == MosaicPairStatus::inconsistent) tried.push_back(i);
  }
  std::ranges::stable_sort(tried, std::ranges::greater{},
                           [&](std::size_t i) { return connected.pairs[i].report.inliers; });
  tried.resize(std::min(most, tried.size()));
  MosaicOptions same = options;
  same.model = connected.choice.chosen.model;
  for (const std::size_t i : tried) {
    if (connected.pairs[i].report.status == MosaicPairStatus::used) continue;
    Connected closed = connected;
    std::vector<Frames> fits_of_closed = fits;
    closed.pairs[i].report.status = MosaicPairStatus::used;
    closed.choice = choose_model(closed.tree, closed.pairs, cameras, same, fits_of_closed, progress);
    const double before = connected.choice.chosen.held_out;
    const bool is_as_good = closed.choice.chosen.held_out <= factor * before + more;
    if (!is_as_good || !suspects_of(closed, threshold).empty()) continue;
    connected = std::move(closed);
    fits = std::move(fits_of_closed);
    take_back(connected, left_out, cameras.sizes);
  }
}

}  // namespace

Connected connect(std::vector<VerifiedPair> pairs, const Cameras& cameras, const std::vector<GreyImage>& greys,
                  const RobustOptions& robust, const MosaicOptions& options, const ProgressSink& progress) {
  const std::vector<ImageSize>& sizes = cameras.sizes;
  constexpr int comparisons = 2;  // not tuned: the second begins at better places, and leaves out what is far off there
  std::vector<std::size_t> left_out = weak_pairs(pairs, groups(static_cast<int>(sizes.size()), pairs));
  for (const std::size_t i : left_out) pairs[i].report.status = MosaicPairStatus::inconsistent;
  for (const std::size_t i : contradicted_by_loops(pairs, sizes)) {
    pairs[i].report.status = MosaicPairStatus::inconsistent;
    left_out.push_back(i);
  }
  std::vector<Frames> fits;
  Connected connected = connect_once(std::move(pairs), cameras, robust.threshold, options, fits, progress);
  if (connected.found) {
    take_back(connected, left_out, sizes);
    if (connected.choice.chosen.model == MosaicModel::rotation) {
      close_rings(connected, left_out, cameras, robust.threshold, options, fits, progress);
    }
  }
  for (int round = 0; round < comparisons && connected.found; ++round) {
    report(progress, "comparing intensities");
    compare_neighbours(connected.pairs, connected.choice.frames, connected.group, greys, sizes, robust.threshold);
    // In the end all models compete once more; before, the one that has won is enough for the places.
    MosaicOptions now = options;
    if (round + 1 < comparisons) now.model = connected.choice.chosen.model;
    connected = connect_once(std::move(connected.pairs), cameras, robust.threshold, now, fits, progress);
  }
  if (connected.found) compare_doubtful(connected.pairs, connected.choice.frames, greys, sizes, robust.threshold);
  return connected;
}

}  // namespace octavo::mosaic
