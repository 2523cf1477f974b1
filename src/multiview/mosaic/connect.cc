// From features to connected images.

#include "multiview/mosaic/connect.h"

#include <algorithm>

#include "multiview/mosaic/even_contrast.h"
#include "multiview/mosaic/match_pairs.h"
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

// The used pair that the others contradict most; none if they contradict none. Where pairs contradict each other, one
// that is not sure is wrong.
VerifiedPair* contradicted(Connected& connected, double threshold) {
  std::vector<double> medians;
  VerifiedPair *worst = nullptr, *worst_unsure = nullptr;
  double worst_median = 0, worst_unsure_median = 0;
  for (VerifiedPair& pair : connected.pairs) {
    if (pair.report.status != MosaicPairStatus::used || !connected.is_member(pair.report.a)) continue;
    const double median = medians.emplace_back(error_of(connected.choice.frames, pair).median);
    if (!is_sure(pair.report) && median > worst_unsure_median) {
      worst_unsure_median = median;
      worst_unsure = &pair;
    }
    if (median <= worst_median) continue;
    worst_median = median;
    worst = &pair;
  }
  if (medians.size() < 3) return nullptr;
  std::nth_element(medians.begin(), medians.begin() + static_cast<std::ptrdiff_t>(medians.size() / 2), medians.end());
  // A wrong pair's median distance is above so many thresholds of an inlier, and above so many usual medians; guesses.
  constexpr double thresholds = 4, usual_medians = 5;
  const double largest = std::max(thresholds * threshold, usual_medians * medians[medians.size() / 2]);
  if (worst_median <= largest) return nullptr;
  return worst_unsure_median > largest ? worst_unsure : worst;
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

std::vector<VerifiedPair> matched_pairs(const Images& images, std::vector<Features> features,
                                        const std::vector<GreyImage>& greys, Extractor& extractor, Matcher& matcher,
                                        const RobustOptions& robust, const ProgressSink& progress) {
  const auto is_matched = [&](std::size_t i) { return is_wanted(images.told[i]); };
  const auto matched = [&](bool even_contrast, const std::function<bool(std::size_t, std::size_t)>& is_tried) {
    const auto both = [&](std::size_t a, std::size_t b) { return is_matched(a) && is_matched(b) && is_tried(a, b); };
    std::vector<VerifiedPair> pairs =
        match_pairs({features, images.sizes, both, even_contrast}, matcher, robust, progress);
    align_all(pairs, greys, robust.threshold, progress);
    return pairs;
  };
  std::vector<VerifiedPair> pairs = matched(false, [](std::size_t, std::size_t) { return true; });
  const std::vector<int> group = groups(static_cast<int>(images.sizes.size()), pairs);
  const auto is_outside = [&](std::size_t i) { return is_matched(i) && group[i] != 0; };
  bool is_any_outside = false;
  for (std::size_t i = 0; i < group.size(); ++i) is_any_outside = is_any_outside || is_outside(i);
  if (!is_any_outside) return pairs;
  for (std::size_t i = 0; i < greys.size(); ++i) {
    report(progress, "features of even contrast", i, greys.size());
    if (is_matched(i)) features[i] = features_of_even_contrast(greys[i], extractor);
  }
  add_used(pairs, matched(true, [&](std::size_t a, std::size_t b) { return is_outside(a) || is_outside(b); }));
  return pairs;
}

Connected connect(std::vector<VerifiedPair> pairs, const std::vector<ImageSize>& sizes,
                  const std::vector<GreyImage>& greys, const RobustOptions& robust, const MosaicOptions& options,
                  const ProgressSink& progress) {
  constexpr int comparisons = 2;  // not tuned: the second begins at better places, and leaves out what is far off there
  Connected connected = connect_once(std::move(pairs), sizes, robust.threshold, options, progress);
  for (int round = 0; round < comparisons && connected.found; ++round) {
    report(progress, "comparing intensities");
    compare_neighbours(connected.pairs, connected.choice.frames, connected.group, greys, sizes, robust.threshold);
    connected = connect_once(std::move(connected.pairs), sizes, robust.threshold, options, progress);
  }
  return connected;
}

}  // namespace octavo::mosaic
