// Pairs of images. Of many images most pairs have nothing in common: those are told by few features, with the largest
// scales (Wu, "Towards linear-time incremental structure from motion", 3DV 2013, §3.1).

#include "multiview/mosaic/match_pairs.h"

#include <algorithm>
#include <numeric>

namespace octavo::mosaic {
namespace {

// Faint features are about three times as far off as others, on the tiles of Patak and Canopee (docs/mosaic.md).
constexpr double weight_of_even_contrast = 1.0 / 3;

Features largest(const Features& features, std::size_t most) {
  if (features.size() <= most) return features;
  std::vector<std::size_t> order(features.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return features.keypoints[x].scale > features.keypoints[y].scale;
  });
  Features kept;
  for (std::size_t k = 0; k < most; ++k) {
    kept.keypoints.push_back(features.keypoints[order[k]]);
    const auto* row = features.descriptors.data() + descriptor_length * order[k];
    kept.descriptors.insert(kept.descriptors.end(), row, row + descriptor_length);
  }
  return kept;
}

}  // namespace

std::vector<VerifiedPair> match_pairs(const PairSource& source, Matcher& matcher, const RobustOptions& robust,
                                      const ProgressSink& progress) {
  const std::size_t n = source.features.size();
  std::vector<VerifiedPair> pairs;
  std::size_t done = 0;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) {
      report(progress, "matches", done++, n * (n - 1) / 2);
      if (!source.is_wanted(a, b)) continue;
      const Features &x = source.features[a], &y = source.features[b];
      VerifiedPair pair = verify(static_cast<int>(a), static_cast<int>(b), x, y, source.sizes[a], source.sizes[b],
                                 matcher.match(x, y), robust);
      if (pair.report.matches == 0) continue;
      pair.report.even_contrast = source.even_contrast;
      if (source.even_contrast) {
        for (cv::Matx22d& weight : pair.inliers.weight_in_a) weight *= weight_of_even_contrast;
        for (cv::Matx22d& weight : pair.inliers.weight_in_b) weight *= weight_of_even_contrast;
      }
      pairs.push_back(std::move(pair));
    }
  }
  return pairs;
}

std::vector<Features> few_features(const std::vector<Features>& features) {
  constexpr std::size_t few = 1000;  // it bounds the time; not tuned
  std::vector<Features> list;
  for (const Features& all : features) list.push_back(largest(all, few));
  return list;
}

bool agrees(const MosaicPair& pair) {
  constexpr double agreeing = 0.7;  // of the matches; a guess
  return pair.status == MosaicPairStatus::used && pair.inliers >= agreeing * pair.matches;
}

bool has_enough(const MosaicPair& pair) {
  constexpr int enough = 200;  // about as many as the adjustment uses: it bounds the time
  return agrees(pair) && pair.inliers >= enough;
}

}  // namespace octavo::mosaic
