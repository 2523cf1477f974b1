// Pairs of images. Of many images most pairs have nothing in common: those are told by few features, with the largest
// scales (Wu, "Towards linear-time incremental structure from motion", 3DV 2013, §3.1).

#include "multiview/mosaic/match_pairs.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "multiview/geometry/watermark.h"
#include "multiview/mosaic/agreement.h"
#include "multiview/mosaic/votes.h"

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

// Features with the largest scales, which most likely appear in other images too.
std::vector<Features> largest_of_each(const std::vector<Features>& features, std::size_t most) {
  std::vector<Features> list;
  for (const Features& all : features) list.push_back(largest(all, most));
  return list;
}

// The matches of the wanted pairs, by a, then b: those of one image with all others in one submission.
void for_each_pair(const std::vector<Features>& features, const IsPairWanted& is_wanted, Matcher& matcher,
                   const ProgressSink& progress,
                   const std::function<void(std::size_t a, std::size_t b, const std::vector<Match>& matches)>& use) {
  for (std::size_t a = 0; a < features.size(); ++a) {
    report(progress, "matches", a, features.size());
    std::vector<std::size_t> partners;
    std::vector<const Features*> collection;
    for (std::size_t b = a + 1; b < features.size(); ++b) {
      if (!is_wanted(a, b)) continue;
      partners.push_back(b);
      collection.push_back(&features[b]);
    }
    const std::vector<std::vector<Match>> matches = matcher.match(features[a], collection);
    for (std::size_t k = 0; k < partners.size(); ++k) use(a, partners[k], matches[k]);
  }
}

// Whether what agrees in two images is a watermark: `threshold` [pixel] is that of inliers.
bool is_watermark(const VerifiedPair& pair, const GreyImage& grey_a, const GreyImage& grey_b, double threshold) {
  if (pair.report.status != MosaicPairStatus::used || grey_a.size != grey_b.size) return false;
  const cv::Matx33d pixel = normalised_from_pixel(grey_a.size).inv();
  const auto place = [&](const cv::Point2d& p) {
    const cv::Vec3d q = pixel * cv::Vec3d(p.x, p.y, 1);
    return Point{q[0], q[1]};
  };
  PointPairs places;
  for (std::size_t i = 0; i < pair.inliers.in_a.size(); ++i) {
    places.a.push_back(place(pair.inliers.in_a[i]));
    places.b.push_back(place(pair.inliers.in_b[i]));
  }
  const std::vector<std::uint8_t> all(places.a.size(), 1);
  if (planes::share_standing_still(places, all) <= 0.5) return false;
  // The frame of a screenshot is not local.
  const bool is_beside_others =
      pair.inlier_share < local_share || !agree_nearly_everywhere(grey_a, grey_b, cv::Matx33d::eye(), threshold);
  return planes::is_watermark(places, all, grey_a.levels[0], grey_b.levels[0], is_beside_others);
}

// The matches that a watermark does not have.
std::vector<Match> moving(const Features& features_a, const Features& features_b, const std::vector<Match>& matches) {
  std::vector<Match> list;
  std::ranges::copy_if(matches, std::back_inserter(list), [&](const Match& match) {
    const Keypoint& p = features_a.keypoints[static_cast<std::size_t>(match.a)];
    const Keypoint& q = features_b.keypoints[static_cast<std::size_t>(match.b)];
    return std::hypot(p.x - q.x, p.y - q.y) > 1;
  });
  return list;
}

// A pair by its matches; where a watermark is what agrees, by the others, if they are enough.
VerifiedPair verified(const PairSource& source, std::size_t a, std::size_t b, const std::vector<Match>& matches,
                      const RobustOptions& robust) {
  const Features &features_a = source.features[a], &features_b = source.features[b];
  const auto by = [&](const std::vector<Match>& some) {
    return verify(static_cast<int>(a), static_cast<int>(b), features_a, features_b, source.sizes[a], source.sizes[b],
                  some, robust);
  };
  VerifiedPair pair = by(matches);
  if (!is_watermark(pair, source.greys[a], source.greys[b], robust.threshold)) return pair;
  VerifiedPair others = by(moving(features_a, features_b, matches));
  if (others.report.status == MosaicPairStatus::used) return others;
  pair.report.status = MosaicPairStatus::watermark;
  return pair;
}

}  // namespace

std::vector<VerifiedPair> match_pairs(const PairSource& source, Matcher& matcher, const RobustOptions& robust,
                                      const ProgressSink& progress) {
  std::vector<VerifiedPair> pairs;
  for_each_pair(source.features, source.is_wanted, matcher, progress,
                [&](std::size_t a, std::size_t b, const std::vector<Match>& matches) {
                  if (matches.empty()) return;
                  VerifiedPair& pair = pairs.emplace_back(verified(source, a, b, matches, robust));
                  pair.report.even_contrast = source.even_contrast;
                  if (!source.even_contrast) return;
                  for (cv::Matx22d& weight : pair.inliers.weight_in_a) weight *= weight_of_even_contrast;
                  for (cv::Matx22d& weight : pair.inliers.weight_in_b) weight *= weight_of_even_contrast;
                });
  return pairs;
}

std::vector<Features> few_features(const std::vector<Features>& features) {
  constexpr std::size_t few = 1000;  // it bounds the time; not tuned
  return largest_of_each(features, few);
}

std::set<std::pair<std::size_t, std::size_t>> likely_pairs(const PairSource& source, std::size_t few, Matcher& matcher,
                                                           const ProgressSink& progress) {
  // Of 730 pairs of tiles without a common place, by 200 features, none had more than two votes; of 131 others 109 had
  // three and more.
  constexpr std::size_t least_votes_of_few = 3;
  constexpr double tolerance = 0.04;  // of half the diagonal, as where pairs are verified
  const std::vector<Features> some = largest_of_each(source.features, few);
  std::set<std::pair<std::size_t, std::size_t>> likely;
  for_each_pair(some, source.is_wanted, matcher, progress,
                [&](std::size_t a, std::size_t b, const std::vector<Match>& matches) {
                  const double allowed = tolerance * half_diagonal(source.sizes[b]);
                  if (most_votes(some[a], some[b], matches, allowed) >= least_votes_of_few) likely.emplace(a, b);
                });
  return likely;
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
