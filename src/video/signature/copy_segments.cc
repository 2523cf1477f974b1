// Segments that two clips share. Hits are verified by the features of their frames. Votes over offsets and speeds
// propose lines in the plane of both times. Along each line neighbouring frames are matched, and a local alignment
// decides where segments begin and end. Of segments that show the same part, those that another explains better are
// dropped.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>

#include "engine/device/cpu_isa.h"
#include "octavo/video/copy_segment.h"
#include "video/signature/compared_frames.h"
#include "video/signature/copy_candidates.h"
#include "video/signature/explained_pairs.h"
#include "video/signature/repeated_copies.h"
#include "video/signature/shown_images.h"
#include "video/signature/time_lines.h"
#include "video/signature/verified_hits.h"

namespace octavo {
namespace {

// Chosen on three clips: docs/video-search.md, What was measured.
constexpr int most_lines = 24;  // that are tried; bounds the time

}  // namespace

std::vector<CopySegment> find_copies(const ClipSignature& query, const ClipSignature& other,
                                     std::span<const FrameHit> hits, const CopyOptions& options, const std::string& isa,
                                     const ProgressSink& progress) {
  validate(options);
  if (query.frames.empty() || other.frames.empty()) return {};
  ComparedFrames clips(query, other, find_isa(isa), options.shake, progress);
  if (is_image(query) || is_image(other)) return shown_images(clips, hits, options);
  std::vector<TimePair> pairs = verified_pairs(clips, hits);
  const std::vector<TimePair> all = pairs;
  std::vector<CopyCandidate> candidates;
  for (int n = 0; n < most_lines && !pairs.empty(); ++n) {
    const VotedLine voted = best_line(pairs, options.min_speed, options.max_speed);
    if (voted.votes < least_votes) break;
    std::vector<CopyCandidate> found = candidates_on(clips, options, voted.line, pairs);
    remove_explained(clips, pairs, voted.line, found);
    for (CopyCandidate& one : found) {
      std::ranges::move(parts_at_speed_one(clips, options, std::move(one), all), std::back_inserter(candidates));
    }
  }
  return without_repetitions(clips, options, std::move(candidates));
}

std::vector<FrameHit> all_hits(const ClipSignature& query, const ClipSignature& other, const std::string& isa,
                               const ProgressSink& progress) {
  // [second] of the query's frames, as in an archive's search; find_copies compares those between.
  constexpr double distance = 0.35;
  const Isa chosen = find_isa(isa);
  std::vector<FrameHit> hits;
  double last = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < query.frames.size(); ++i) {
    if (query.frames[i].seconds - last < distance || query.frames[i].features.empty()) continue;
    last = query.frames[i].seconds;
    report(progress, "comparing all frames", i, query.frames.size());
    for (std::size_t j = 0; j < other.frames.size(); ++j) {
      const FrameSignature &a = query.frames[i], &b = other.frames[j];
      const FrameMatch match = match_of(a, b, near_pairs(a, b, chosen));
      if (match.significance <= 0) continue;
      hits.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), static_cast<float>(match.inliers)});
    }
  }
  return hits;
}

}  // namespace octavo
