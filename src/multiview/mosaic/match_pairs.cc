// All pairs of many images, most of which have nothing in common: those are found by few features. The features with
// the largest scales most likely appear in other images too (Wu, "Towards linear-time incremental structure from
// motion", 3DV 2013, §3.1).

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
  // Of more images than few_images, pairs are tried with so many features first. They bound the time; not tuned.
  constexpr std::size_t few_images = 24, few_features = 1000;
  const std::size_t n = source.features.size();
  std::vector<Features> few;
  if (n > few_images) {
    for (const Features& features : source.features) few.push_back(largest(features, few_features));
  }
  std::vector<VerifiedPair> pairs;
  std::size_t done = 0;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) {
      report(progress, "matches", done++, n * (n - 1) / 2);
      if (!source.is_wanted(a, b)) continue;
      const auto verified = [&](const Features& x, const Features& y) {
        VerifiedPair pair = verify(static_cast<int>(a), static_cast<int>(b), x, y, source.sizes[a], source.sizes[b],
                                   matcher.match(x, y), robust);
        pair.report.even_contrast = source.even_contrast;
        if (source.even_contrast) {
          for (cv::Matx22d& weight : pair.inliers.weight_in_a) weight *= weight_of_even_contrast;
          for (cv::Matx22d& weight : pair.inliers.weight_in_b) weight *= weight_of_even_contrast;
        }
        return pair;
      };
      if (!few.empty() && verified(few[a], few[b]).report.inliers == 0) continue;
      VerifiedPair pair = verified(source.features[a], source.features[b]);
      if (pair.report.matches > 0) pairs.push_back(std::move(pair));
    }
  }
  return pairs;
}

}  // namespace octavo::mosaic
