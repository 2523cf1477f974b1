#include "video/signature/explained_pairs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

#include "video/signature/overlap.h"
#include "video/signature/verified_hits.h"

namespace octavo {
namespace {

// Developed on clips with freezes and cut-outs: docs/video-search.md, Lines and segments.
constexpr double nearly_one = 0.015;   // of a speed that is taken for 1
constexpr int most_parts = 3;          // at speed 1 in the place of one at another speed
constexpr double least_explained = 1;  // of the weight that the other speed explains

// The weight of the pairs that a segment's line meets. Of each frame of the query the greatest counts.
double explained_weight(const std::vector<CopyCandidate>& candidates, const std::vector<TimePair>& pairs) {
  double sum = 0;
  for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
    double most = 0;
    for (end = begin; end < pairs.size() && pairs[end].query == pairs[begin].query; ++end) {
      const TimePair& pair = pairs[end];
      const bool is_met = std::ranges::any_of(candidates, [&](const CopyCandidate& one) {
        return pair.query_to >= one.segment.query_in && pair.query_from < one.segment.query_out &&
               met(one.line, pair, 0);
      });
      if (is_met) most = std::max(most, pair.weight);
    }
    sum += most;
  }
  return sum;
}

}  // namespace

void remove_explained(const ComparedFrames& clips, std::vector<TimePair>& pairs, const TimeLine& line,
                      const std::vector<CopyCandidate>& found) {
  std::erase_if(pairs, [&](const TimePair& pair) {
    if (met(line, pair, clips.other_step)) return true;
    return std::any_of(found.begin(), found.end(), [&](const CopyCandidate& one) {
      const CopySegment& s = one.segment;
      const double time = one.line.other_at(pair.query_from);
      return pair.query_from >= s.query_in && pair.query_from < s.query_out && time > pair.other_from - near_in_time &&
             time < pair.other_to + near_in_time;
    });
  });
}

std::vector<CopyCandidate> parts_at_speed_one(ComparedFrames& clips, const CopyOptions& options,
                                              CopyCandidate candidate, const std::vector<TimePair>& pairs) {
  std::vector<CopyCandidate> itself;
  itself.push_back(std::move(candidate));
  const CopySegment& segment = itself.front().segment;
  if (std::abs(segment.speed - 1) < nearly_one || segment.still) return itself;
  std::vector<TimePair> near;
  for (const TimePair& pair : pairs) {
    const bool is_within = pair.query_to >= segment.query_in && pair.query_from < segment.query_out;
    if (is_within && met(itself.front().line, pair, near_in_time)) near.push_back(pair);
  }
  std::vector<CopyCandidate> parts;
  std::vector<TimePair> left = near;
  for (int n = 0; n < most_parts && !left.empty(); ++n) {
    const VotedLine voted = best_line(left, 1, 1);
    if (voted.votes < least_votes) break;
    std::vector<CopyCandidate> found = candidates_on(clips, options, voted.line, left);
    remove_explained(clips, left, voted.line, found);
    std::erase_if(found, [&](const CopyCandidate& one) {
      const double common = overlap(one.segment.query_in, one.segment.query_out, segment.query_in, segment.query_out);
      return 2 * common < one.segment.query_out - one.segment.query_in;
    });
    std::ranges::move(found, std::back_inserter(parts));
  }
  const double least = least_explained * explained_weight(itself, near);
  return explained_weight(parts, near) >= least ? std::move(parts) : std::move(itself);
}

}  // namespace octavo
