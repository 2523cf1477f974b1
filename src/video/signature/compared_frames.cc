#include "video/signature/compared_frames.h"

#include <cstddef>
#include <utility>

#include "video/signature/frame_similarity.h"
#include "video/signature/frame_times.h"
#include "video/signature/verified_hits.h"

namespace octavo {

ComparedFrames::ComparedFrames(const ClipSignature& query_clip, const ClipSignature& other_clip, const Isa& isa,
                               double shake, ProgressSink progress)
    : query(query_clip),
      other(other_clip),
      query_step(usual_step(query_clip)),
      other_step(usual_step(other_clip)),
      isa_(isa),
      shake_(shake),
      progress_(std::move(progress)) {}

const ComparedFrames::Compared& ComparedFrames::compared(std::int32_t i, std::int32_t j) {
  constexpr std::size_t most_kept = 200000;  // pairs of frames: some hundred megabytes at most
  if (compared_.size() >= most_kept) compared_.clear();
  const auto [place, is_new] = compared_.try_emplace({i, j});
  Compared& both = place->second;
  if (is_new) {
    constexpr std::size_t between_reports = 64;
    if (done_++ % between_reports == 0) report(progress_, "comparing frames");
    both.pairs = near_pairs(query.frames[i], other.frames[j], isa_);
    both.match = match_of(query.frames[i], other.frames[j], both.pairs);
  }
  return both;
}

Agreement ComparedFrames::agreement_of(std::int32_t i, std::int32_t j, const Similarity& similarity) {
  constexpr double far_more = 1.5, least_more = 6;  // inliers: so many times as many, and so many more
  const FrameSignature &a = query.frames[i], &b = other.frames[j];
  const Compared& both = compared(i, j);
  Agreement found = agreement(a, b, both.pairs, similarity);
  const FrameMatch& own = both.match;
  if (own.inliers < far_more * static_cast<double>(found.in_a.size()) + least_more) return found;
  if (own.significance < least_significance || disagreement(similarity, own.b_from_a, a, b) >= shake_) return found;
  found = agreement(a, b, both.pairs, own.b_from_a);
  found.evidence = found.significance;  // these frames gave the similarity
  found.is_own = true;
  return found;
}

}  // namespace octavo
