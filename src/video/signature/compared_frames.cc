#include "video/signature/compared_frames.h"

#include <cstddef>

#include "video/signature/frame_times.h"

namespace octavo {

ComparedFrames::ComparedFrames(const ClipSignature& query_clip, const ClipSignature& other_clip, const Isa& isa)
    : query(query_clip),
      other(other_clip),
      query_step(usual_step(query_clip)),
      other_step(usual_step(other_clip)),
      isa_(isa) {}

const ComparedFrames::Compared& ComparedFrames::compared(std::int32_t i, std::int32_t j) {
  constexpr std::size_t most_kept = 200000;  // pairs of frames: some hundred megabytes at most
  if (compared_.size() >= most_kept) compared_.clear();
  const auto [place, is_new] = compared_.try_emplace({i, j});
  Compared& both = place->second;
  if (is_new) {
    both.pairs = near_pairs(query.frames[i], other.frames[j], isa_);
    both.match = match_of(query.frames[i], other.frames[j], both.pairs);
  }
  return both;
}

Agreement ComparedFrames::agreement_of(std::int32_t i, std::int32_t j, const Similarity& similarity) {
  return agreement(query.frames[i], other.frames[j], compared(i, j).pairs, similarity);
}

}  // namespace octavo
