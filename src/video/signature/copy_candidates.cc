#include "video/signature/copy_candidates.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "video/signature/distinct_pairs.h"
#include "video/signature/frame_times.h"
#include "video/signature/logarithm.h"
#include "video/signature/verified_hits.h"

namespace octavo {
namespace {

// Chosen on three clips, and tested on unrelated ones: docs/video-search.md, What was measured and Scores.
constexpr double most_evidence = 9;            // [−log10 of chance] what a second of frames can add to a score
constexpr double most_significance = 20;       // [the same] what the second with most inliers counts at most
constexpr double least_spread = 0.08;          // spread_of the points of all frames of a segment; a logo's is 0.01
constexpr double least_spread_of_still = 0.2;  // one frame alone says it, such as a slide with the head of others
constexpr double most_disagreement = 0.06;     // of two similarities, as a share of the smaller frame's side
constexpr std::ptrdiff_t many_shaken = 4;      // one in so many frames has a place of its own in a clip that shakes
constexpr double far_from_hits = 10;           // [second] beyond which frames on a line are not compared

// The similarity that most matches along the line agree with, weighted by their inliers.
std::optional<Similarity> common_similarity(ComparedFrames& clips, const std::vector<LineFrame>& frames) {
  std::vector<std::pair<std::int32_t, FrameMatch>> found;
  for (const LineFrame& frame : frames) {
    for (const std::int32_t j : frames_near(clips, frame)) {
      const FrameMatch one = clips.match(frame.query, j);
      if (one.inliers > 0 && one.significance >= least_significance) found.emplace_back(frame.query, one);
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.second.inliers > b.second.inliers; });
  constexpr std::size_t tried = 40;  // similarities, those with most inliers; bounds the time
  std::optional<Similarity> best;
  int most = 0;
  for (std::size_t k = 0; k < std::min(found.size(), tried); ++k) {
    const Similarity& similarity = found[k].second.b_from_a;
    int support = 0;
    for (const auto& [i, one] : found) {
      if (disagreement(similarity, one.b_from_a, clips.query.frames[i], clips.other.frames.front()) <
          most_disagreement) {
        support += std::min(one.inliers, full_weight);
      }
    }
    if (support <= most) continue;
    most = support;
    best = similarity;
  }
  return best;
}

// The least squares over all frames of a part: more exact than that of any one frame.
Similarity pooled_similarity(ComparedFrames& clips, Similarity similarity, const std::vector<LineFrame>& frames) {
  for (int round = 0; round < 2; ++round) {
    std::vector<FramePoint> from, to;
    for (const LineFrame& frame : frames) {
      if (!is_same(frame)) continue;
      const Agreement same = clips.agreement_of(frame.query, frame.other, similarity);
      from.insert(from.end(), same.in_a.begin(), same.in_a.end());
      to.insert(to.end(), same.in_b.begin(), same.in_b.end());
    }
    if (from.empty()) break;
    similarity = refitted(similarity, from, to, similarity.stretch != 1).value_or(similarity);
  }
  return similarity;
}

// −log10 of the chance of all seconds. Of each the frame with most inliers counts. The similarity comes from the
// second with most inliers; the others count as far as their pairs are new.
double evidence_of(const std::map<std::int64_t, std::vector<Agreement>>& of_second) {
  const auto inliers = [](const Agreement& frame) { return frame.in_a.size(); };
  std::vector<std::pair<const Agreement*, const std::vector<Agreement>*>> seconds;
  for (const auto& [second, frames] : of_second) {
    seconds.emplace_back(&*std::ranges::max_element(frames, {}, inliers), &frames);
  }
  std::ranges::stable_sort(seconds, std::ranges::greater{}, [&](const auto& one) { return inliers(*one.first); });
  DistinctPairs seen;
  double sum = 0;
  for (const auto& [best, frames] : seconds) {
    if (best == seconds.front().first) {
      sum += std::min(best->significance, most_significance);
    } else {
      const double share = seen.new_ones(*best) / static_cast<double>(best->in_a.size());
      sum += std::min(share * best->evidence, most_evidence);
    }
    for (const Agreement& frame : *frames) seen.add(frame);
  }
  return sum;
}

// The line near this one on which the frames that match best lie. Neighbours match too, so weights are those of the
// votes.
TimeLine refined(ComparedFrames& clips, const TimeLine& line, const Similarity& similarity,
                 const std::vector<LineFrame>& frames) {
  constexpr std::size_t most_frames = 200;  // that are compared; bounds the time
  const std::size_t stride = frames.size() / most_frames + 1;
  const auto last = static_cast<std::int32_t>(std::ssize(clips.other.frames)) - 1;
  std::vector<TimePair> pairs;
  std::vector<double> stands;  // [second]
  for (std::size_t k = 0; k < frames.size(); k += stride) {
    const LineFrame& frame = frames[k];
    if (!is_same(frame)) continue;
    stands.push_back(clips.other.frames[frame.other].until - clips.other.frames[frame.other].seconds);
    const double begin = clips.query.frames[frame.query].seconds;
    const std::int32_t shown = frame_at(clips.other, line.other_at(frame.query_from));
    for (std::int32_t j = std::max(0, shown - 2); j <= std::min(shown + 3, last); ++j) {
      const Agreement found = clips.agreement_of(frame.query, j, similarity);
      const double time = clips.other.frames[j].seconds;
      pairs.push_back({frame.query, j, begin, begin, time, time, static_cast<double>(found.in_a.size())});
    }
  }
  weigh_by_contrast(pairs);
  if (stands.empty()) return line;
  // Slides meet on many lines, but their cuts on one.
  std::ranges::nth_element(stands, stands.begin() + std::ssize(stands) / 2);
  return nearest_line(pairs, line, std::max(clips.other_step, stands[stands.size() / 2]));
}

// The frames on a line that are not far from those that voted for it.
std::vector<LineFrame> frames_near_hits(const ComparedFrames& clips, const TimeLine& line,
                                        const std::vector<TimePair>& pairs) {
  std::vector<TimeSpan> spans, hits;
  for (const TimePair& pair : pairs) {
    if (const std::optional<TimeSpan> span = met(line, pair, near_in_time)) spans.push_back(*span);
  }
  std::ranges::sort(spans, {}, &TimeSpan::from);
  for (const TimeSpan& span : spans) {
    if (hits.empty() || span.from > hits.back().to) hits.push_back(span);
    hits.back().to = std::max(hits.back().to, span.to);
  }
  std::vector<LineFrame> frames = frames_on(clips, line);
  std::erase_if(frames, [&](const LineFrame& frame) {
    const auto next = std::ranges::lower_bound(hits, frame.query_from - far_from_hits, {}, &TimeSpan::to);
    return next == hits.end() || next->from > frame.query_to + far_from_hits;
  });
  return frames;
}

// The number of frames of the query that were looked at and are the same. One that stands is many.
int same_frames(const ComparedFrames& clips, const std::vector<LineFrame>& frames) {
  int count = 0;
  std::int32_t last = -1;
  for (const LineFrame& frame : frames) {
    if (!is_same(frame)) continue;
    const bool is_new = std::exchange(last, frame.query) != frame.query;
    const auto stands = static_cast<int>((frame.query_to - frame.query_from) / clips.query_step + 0.5);
    count += std::max(is_new ? 1 : 0, stands);
  }
  return count;
}

// Whether all that is the same is one frame of either clip.
bool is_still(const std::vector<LineFrame>& frames) {
  const auto first = std::ranges::find_if(frames, is_same);
  return std::all_of(first, frames.end(), [&](const LineFrame& frame) {
    return !is_same(frame) || (frame.query == first->query && frame.other == first->other);
  });
}

// Whether another image is shown from this frame on: it does not match what the other clip showed before.
bool is_change(ComparedFrames& clips, const Similarity& similarity, const LineFrame& before, const LineFrame& frame) {
  constexpr double least_in_common = 0.6;  // of the inliers, where the image goes on
  if (!is_same(before) || !is_same(frame) || frame.other == before.other) return false;
  const auto in_common = static_cast<double>(clips.agreement_of(frame.query, before.other, similarity).in_a.size());
  return in_common < least_in_common * frame.inliers;
}

// When what stands at either end changes, or begins to move.
void tell_changes(ComparedFrames& clips, CopyCandidate& found) {
  constexpr double stands = 0.8;  // [second]
  const std::vector<LineFrame>& frames = found.frames;
  CopySegment& segment = found.segment;
  segment.change_in = segment.query_in;
  segment.change_out = segment.query_out;
  const auto stands_at = [&](const LineFrame& frame) {
    const FrameSignature &query = clips.query.frames[frame.query], &other = clips.other.frames[frame.other];
    return std::max(query.until - query.seconds, other.until - other.seconds) > stands;
  };
  const auto is_change_at = [&](std::size_t k, const LineFrame& next) {
    return !stands_at(next) || is_change(clips, found.other_from_query, frames[k - 1], frames[k]);
  };
  for (std::size_t k = 1; k < frames.size() && stands_at(frames.front()); ++k) {
    if (!is_change_at(k, frames[k])) continue;
    segment.change_in = frames[k].query_from;
    break;
  }
  for (std::size_t k = frames.size() - 1; k > 0 && stands_at(frames.back()); --k) {
    if (!is_change_at(k, frames[k - 1])) continue;
    segment.change_out = frames[k].query_from;
    break;
  }
}

// The times of a candidate, by its line, or by how long its image stands.
void set_spans(ComparedFrames& clips, CopyCandidate& found) {
  CopySegment& segment = found.segment;
  const TimeLine& line = found.line;
  segment.other_from_query = found.other_from_query;
  segment.still = is_still(found.frames);
  segment.ends_within = std::max(clips.query_step, clips.other_step);
  if (segment.still) {
    const LineFrame& same = *std::ranges::find_if(found.frames, is_same);
    const FrameSignature &query = clips.query.frames[same.query], &other = clips.other.frames[same.other];
    segment.query_in = query.seconds, segment.query_out = query.until;
    segment.other_in = other.seconds, segment.other_out = other.until;
  } else {
    segment.query_in = found.frames.front().query_from;
    segment.query_out = found.frames.back().query_to;
    segment.speed = line.speed;
    segment.other_in = std::max(0.0, line.other_at(segment.query_in));
    segment.other_out = std::min(clips.other.seconds, line.other_at(segment.query_out));
  }
  tell_changes(clips, found);
}

}  // namespace

std::optional<CopyCandidate> candidate_of(ComparedFrames& clips, const CopyOptions& options, const TimeLine& line,
                                          const Similarity& similarity, std::vector<LineFrame> frames) {
  if (frames.empty()) return std::nullopt;
  CopyCandidate found{line, similarity, std::move(frames), {}};
  set_spans(clips, found);
  CopySegment& segment = found.segment;
  std::vector<FramePoint> points;
  std::map<std::int64_t, std::vector<Agreement>> of_second;
  std::ptrdiff_t own = 0;
  for (const LineFrame& frame : found.frames) {
    if (!is_same(frame)) continue;
    segment.inliers += frame.inliers;
    Agreement same = clips.agreement_of(frame.query, frame.other, similarity);
    own += same.is_own ? 1 : 0;
    points.insert(points.end(), same.in_b.begin(), same.in_b.end());
    of_second[static_cast<std::int64_t>(frame.query_from)].push_back(std::move(same));
  }
  segment.frames = same_frames(clips, found.frames);
  segment.shaken = !segment.still && many_shaken * own >= std::ranges::count_if(found.frames, is_same);
  // The frame before the first one and the one after the last one may belong to it in part.
  const double of_query = segment.query_out - segment.query_in + clips.query_step;
  const double of_other = segment.other_out - segment.other_in + line.speed * clips.query_step;
  const double length = std::min(of_query, of_other);
  if (segment.frames < options.min_frames || length < options.min_seconds) return std::nullopt;
  if (spread_of(points, similarity, clips.query.frames[found.frames.front().query], clips.other.frames.front()) <
      (segment.still ? least_spread_of_still : least_spread)) {
    return std::nullopt;
  }
  // log10 of about ten thousand: the lines that are tried, times the pairs of features, any of which gives a
  // similarity.
  constexpr double similarities = 4;
  segment.score =
      -log10_of(static_cast<double>(clips.query.frames.size()) * static_cast<double>(clips.other.frames.size())) -
      similarities;
  segment.score += evidence_of(of_second);
  if (segment.score < options.min_score) return std::nullopt;
  return found;
}

std::vector<CopyCandidate> candidates_on(ComparedFrames& clips, const CopyOptions& options, const TimeLine& line,
                                         const std::vector<TimePair>& pairs) {
  std::vector<CopyCandidate> found;
  std::vector<LineFrame> frames = frames_near_hits(clips, line, pairs);
  const std::optional<Similarity> similarity = common_similarity(clips, frames);
  if (!similarity) return found;
  examine(clips, frames, *similarity);
  for (std::vector<LineFrame>& part : aligned(frames)) {
    std::optional<CopyCandidate> rough = candidate_of(clips, options, line, *similarity, part);
    if (!rough) continue;
    const Similarity pooled = pooled_similarity(clips, *similarity, part);
    const TimeLine better = refined(clips, line, pooled, part);
    std::vector<LineFrame> again = frames_on(clips, better);
    // The frames of this part, and what lies between it and its neighbours.
    std::erase_if(again, [&](const LineFrame& frame) {
      return frame.query_from < part.front().query_from - near_in_time ||
             frame.query_to > part.back().query_to + near_in_time;
    });
    examine(clips, again, pooled);
    std::optional<CopyCandidate> longest;
    for (std::vector<LineFrame>& piece : aligned(again)) {
      std::optional<CopyCandidate> one = candidate_of(clips, options, better, pooled, std::move(piece));
      if (one && (!longest || one->segment.score > longest->segment.score)) longest = std::move(one);
    }
    found.push_back(longest ? std::move(*longest) : std::move(*rough));
  }
  return found;
}

}  // namespace octavo
