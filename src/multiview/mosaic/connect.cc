// From features to connected images.

#include "multiview/mosaic/connect.h"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>
#include <utility>

#include "multiview/mosaic/even_contrast.h"
#include "multiview/mosaic/match_pairs.h"
#include "multiview/mosaic/redundant.h"
#include "multiview/mosaic/refine.h"

namespace octavo::mosaic {
namespace {

// Exact places of pairs, by their intensities.
void align_all(std::vector<VerifiedPair>& pairs, const std::vector<GreyImage>& greys, double threshold,
               const ProgressSink& progress) {
  report(progress, "comparing intensities");
  cv::parallel_for_(cv::Range(0, static_cast<int>(pairs.size())), [&](const cv::Range& range) {
    for (int k = range.start; k < range.end; ++k) {
      VerifiedPair& pair = pairs[static_cast<std::size_t>(k)];
      if (pair.report.inliers == 0) continue;
      align(pair, greys[static_cast<std::size_t>(pair.report.a)], greys[static_cast<std::size_t>(pair.report.b)],
            threshold);
    }
  });
}

// The used pairs of the largest group that have far fewer matches than each pair of the tree on the way between their
// images. A pattern that repeats, such as the windows of a house, makes such pairs of images that do not overlap, and
// many of them agree with each other: so the others are adjusted first.
std::vector<std::size_t> weak_pairs(const std::vector<VerifiedPair>& pairs, const std::vector<int>& group) {
  constexpr int far_fewer = 2;  // times; a guess
  const Tree tree = strongest_tree(group, 0, pairs);
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const MosaicPair& pair = pairs[i].report;
    if (pair.status != MosaicPairStatus::used || group[static_cast<std::size_t>(pair.a)] != 0) continue;
    const std::vector<std::size_t> way = way_through(tree, pair.a, pair.b);
    if (std::all_of(way.begin(), way.end(),
                    [&](std::size_t k) { return far_fewer * pair.inliers < pairs[k].report.inliers; })) {
      list.push_back(i);
    }
  }
  return list;
}

// The pairs that are trusted before anything is adjusted: those that agree, but for weak ones.
std::vector<const VerifiedPair*> trusted_pairs(const std::vector<VerifiedPair>& pairs, std::size_t images) {
  const std::vector<std::size_t> weak = weak_pairs(pairs, groups(static_cast<int>(images), pairs));
  std::vector<const VerifiedPair*> list;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (agrees(pairs[i].report) && !std::binary_search(weak.begin(), weak.end(), i)) list.push_back(&pairs[i]);
  }
  return list;
}

// The used pair that is to be left out, since the others contradict it; none if they contradict none. Of several, one
// that is not sure is wrong, and of equals the weakest: a wrong pair pulls right ones away as far as itself.
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
  if (suspects.empty()) return nullptr;
  // Where a pair of the tree is pulled apart, one that closes a loop through it may have done so.
  const std::vector<VerifiedPair*> apart = suspects;
  for (const auto& [median, pair] : used) {
    const std::vector<std::size_t> way = way_through(connected.tree, pair->report.a, pair->report.b);
    const bool is_through = way.size() > 1 && std::any_of(way.begin(), way.end(), [&](std::size_t k) {
                              return std::find(apart.begin(), apart.end(), &connected.pairs[k]) != apart.end();
                            });
    if (is_through) suspects.push_back(pair);
  }
  return *std::min_element(suspects.begin(), suspects.end(), [](const VerifiedPair* x, const VerifiedPair* y) {
    const MosaicPair &one = x->report, &other = y->report;
    return std::tuple(is_sure(one), one.inliers, one.a, one.b) <
           std::tuple(is_sure(other), other.inliers, other.a, other.b);
  });
}

Connected connect_once(std::vector<VerifiedPair> pairs, const std::vector<ImageSize>& sizes, double threshold,
                       const MosaicOptions& options, const ProgressSink& progress) {
  constexpr int most_rounds = 20;  // of removing a pair: it bounds the time; not tuned
  Connected connected{std::move(pairs), {}, {}, {}, false};
  for (int round = 0; round <= most_rounds; ++round) {
    connected.group = groups(static_cast<int>(sizes.size()), connected.pairs);
    connected.tree = strongest_tree(connected.group, 0, connected.pairs);
    connected.found = !connected.tree.branches.empty();
    if (!connected.found) break;
    connected.choice = choose_model(connected.tree, connected.pairs, sizes, options, progress);
    VerifiedPair* const wrong = contradicted(connected, threshold);
    if (wrong == nullptr) break;
    wrong->report.status = MosaicPairStatus::inconsistent;
  }
  return connected;
}

}  // namespace

std::vector<VerifiedPair> matched_pairs(Images& images, std::vector<Features> features,
                                        const std::vector<GreyImage>& greys, Extractor& extractor, Matcher& matcher,
                                        const RobustOptions& robust, const MosaicOptions& options,
                                        const ProgressSink& progress) {
  constexpr std::size_t few_images = 4;  // all of whose features are matched at once: it bounds the time; not tuned
  using IsTried = std::function<bool(std::size_t a, std::size_t b)>;
  const auto is_matched = [&](std::size_t i) { return is_wanted(images.told[i]); };
  const auto matched = [&](const std::vector<Features>& some, bool even_contrast, const IsTried& is_tried) {
    const auto both = [&](std::size_t a, std::size_t b) { return is_matched(a) && is_matched(b) && is_tried(a, b); };
    return match_pairs({some, images.sizes, both, even_contrast}, matcher, robust, progress);
  };
  const bool is_by_few = features.size() > few_images;
  std::vector<VerifiedPair> pairs =
      matched(is_by_few ? few_features(features) : features, false, [](std::size_t, std::size_t) { return true; });
  if (!options.keep_redundant) images.told = with_redundant(images, trusted_pairs(pairs, images.sizes.size()));
  std::set<std::pair<std::size_t, std::size_t>> again;
  std::erase_if(pairs, [&](const VerifiedPair& pair) {
    const std::pair of(static_cast<std::size_t>(pair.report.a), static_cast<std::size_t>(pair.report.b));
    if (!is_matched(of.first) || !is_matched(of.second)) return true;
    if (!is_by_few || has_enough(pair.report)) return false;
    if (pair.report.inliers > 0) again.insert(of);
    return true;
  });
  if (!again.empty()) {
    add_pairs(pairs, matched(features, false, [&](std::size_t a, std::size_t b) { return again.count({a, b}) > 0; }));
  }
  align_all(pairs, greys, robust.threshold, progress);
  const std::vector<int> group = groups(static_cast<int>(images.sizes.size()), pairs);
  const auto is_outside = [&](std::size_t i) { return is_matched(i) && group[i] != 0; };
  bool is_any_outside = false;
  for (std::size_t i = 0; i < group.size(); ++i) is_any_outside = is_any_outside || is_outside(i);
  if (!is_any_outside) return pairs;
  for (std::size_t i = 0; i < greys.size(); ++i) {
    report(progress, "features of even contrast", i, greys.size());
    if (is_matched(i)) features[i] = features_of_even_contrast(greys[i], extractor);
  }
  std::vector<VerifiedPair> even =
      matched(features, true, [&](std::size_t a, std::size_t b) { return is_outside(a) || is_outside(b); });
  align_all(even, greys, robust.threshold, progress);
  std::erase_if(even, [](const VerifiedPair& pair) { return pair.report.status != MosaicPairStatus::used; });
  add_pairs(pairs, std::move(even));
  return pairs;
}

Connected connect(std::vector<VerifiedPair> pairs, const std::vector<ImageSize>& sizes,
                  const std::vector<GreyImage>& greys, const RobustOptions& robust, const MosaicOptions& options,
                  const ProgressSink& progress) {
  constexpr int comparisons = 2;  // not tuned: the second begins at better places, and leaves out what is far off there
  // Of half the diagonal: how far a weak pair may be from where the strong ones place its images, whose errors add up;
  // a guess.
  constexpr double allowed_part = 0.1;
  const std::vector<std::size_t> weak = weak_pairs(pairs, groups(static_cast<int>(sizes.size()), pairs));
  for (const std::size_t i : weak) pairs[i].report.status = MosaicPairStatus::inconsistent;
  Connected connected = connect_once(std::move(pairs), sizes, robust.threshold, options, progress);
  for (const std::size_t i : weak) {
    VerifiedPair& pair = connected.pairs[i];
    const double allowed = allowed_part * half_diagonal(sizes[static_cast<std::size_t>(pair.report.a)]);
    if (error_of(connected.choice.frames, pair).median <= allowed) pair.report.status = MosaicPairStatus::used;
  }
  for (int round = 0; round < comparisons && connected.found; ++round) {
    report(progress, "comparing intensities");
    compare_neighbours(connected.pairs, connected.choice.frames, connected.group, greys, sizes, robust.threshold);
    connected = connect_once(std::move(connected.pairs), sizes, robust.threshold, options, progress);
  }
  return connected;
}

}  // namespace octavo::mosaic
