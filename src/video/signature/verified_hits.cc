#include "video/signature/verified_hits.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace octavo {
namespace {

// Chosen on three clips: docs/video-search.md, What was measured.
constexpr std::size_t hits_of_frame = 12;  // those with the greatest scores are verified
constexpr std::size_t many_hits = 8;       // of a frame, whose median is what the place alone explains
constexpr double luck = 4;                 // inliers
constexpr double luck_of_inliers = 0.05;   // and this share of them

}  // namespace

std::vector<TimePair> verified_pairs(ComparedFrames& clips, std::span<const FrameHit> hits) {
  std::vector<FrameHit> sorted(hits.begin(), hits.end());
  std::sort(sorted.begin(), sorted.end(), [](const FrameHit& a, const FrameHit& b) {
    if (a.query != b.query) return a.query < b.query;
    return a.score != b.score ? a.score > b.score : a.other < b.other;
  });
  std::vector<TimePair> pairs;
  std::size_t of_frame = 0;
  for (std::size_t h = 0; h < sorted.size(); ++h) {
    of_frame = h > 0 && sorted[h].query == sorted[h - 1].query ? of_frame + 1 : 0;
    if (of_frame >= hits_of_frame) continue;
    const auto [i, j] = std::pair(sorted[h].query, sorted[h].other);
    const FrameMatch found = clips.match(i, j);
    if (found.significance < least_significance || found.inliers == 0) continue;
    const FrameSignature& a = clips.query.frames[i];
    const FrameSignature& b = clips.other.frames[j];
    pairs.push_back({.query = i,
                     .other = j,
                     .query_from = a.seconds,
                     .query_to = std::max(a.seconds, a.until - clips.query_step),
                     .other_from = b.seconds - clips.other_step / 2,
                     .other_to = std::max(b.seconds, b.until - clips.other_step) + clips.other_step / 2,
                     .weight = static_cast<double>(found.inliers)});
  }
  weigh_by_contrast(pairs);
  return pairs;
}

void weigh_by_contrast(std::vector<TimePair>& pairs) {
  std::vector<double> inliers;
  for (std::size_t begin = 0; begin < pairs.size();) {
    inliers.clear();
    std::size_t end = begin;
    for (; end < pairs.size() && pairs[end].query == pairs[begin].query; ++end) inliers.push_back(pairs[end].weight);
    std::sort(inliers.begin(), inliers.end());
    const double most = inliers.back();
    const double usual = inliers.size() < many_hits ? 0 : inliers[inliers.size() / 2];
    const double spare = luck + luck_of_inliers * most;
    for (; begin < end; ++begin) {
      const double above = pairs[begin].weight - usual;
      const double share = above <= 0 ? 0 : (above + spare) / (most - usual + spare);
      pairs[begin].weight = share * share * share * share * std::min(1.0, most / full_weight);
    }
  }
}

}  // namespace octavo
