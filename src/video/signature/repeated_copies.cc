#include "video/signature/repeated_copies.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include "video/signature/frame_times.h"
#include "video/signature/overlap.h"

namespace octavo {
namespace {

// Chosen on three clips, in one of which the camera stands still: docs/video-search.md, What was measured.
constexpr double dominance = 0.95;      // of another's inliers: a segment with fewer is a repetition,
constexpr double least_contrast = 1.4;  // unless it has so many times as many inliers on its line as beside it
constexpr double same_time = 1e-6;      // [second] by which rounding parts equal times

// The inliers of the marked frames on the line by those 1 to 1.5 s beside it. 1: the time does not matter, as for a
// still camera.
double line_contrast(ComparedFrames& clips, const CopyCandidate& candidate, const std::vector<bool>& marked) {
  constexpr std::size_t most_frames = 24;  // that are compared; bounds the time
  const auto count = static_cast<std::size_t>(std::count(marked.begin(), marked.end(), true));
  const std::size_t stride = count / most_frames + 1;
  double on = 0, beside = 0;
  std::size_t n = 0;
  for (std::size_t k = 0; k < candidate.frames.size(); ++k) {
    const LineFrame& frame = candidate.frames[k];
    if (!marked[k] || n++ % stride != 0 || !is_same(frame)) continue;
    for (const double away : {-1.5, -1.0, 1.0, 1.5}) {
      const double time = frame.other_time + away;
      if (time < 0 || time >= clips.other.seconds) continue;
      const Agreement there = clips.agreement_of(frame.query, frame_at(clips.other, time), candidate.other_from_query);
      on += frame.inliers;
      beside += static_cast<double>(there.in_a.size());
    }
  }
  return beside == 0 ? std::numeric_limits<double>::infinity() : on / beside;
}

// The inliers of a candidate when the query, or the other clip, is at this time; 0 outside.
int inliers_at(const CopyCandidate& candidate, double seconds, double LineFrame::*time) {
  const auto& frames = candidate.frames;
  const auto after = std::upper_bound(frames.begin(), frames.end(), seconds + same_time,
                                      [time](double t, const LineFrame& frame) { return t < frame.*time; });
  if (after == frames.begin()) return 0;
  const LineFrame& frame = *(after - 1);
  return seconds > frame.*time + near_in_time ? 0 : frame.inliers;
}

// Marks the frames of `one` in the longest runs over which `another` has more inliers at the same time of a clip.
void mark_dominated(const CopyCandidate& one, const CopyCandidate& another, double LineFrame::*time, double from,
                    double to, std::vector<bool>& marked) {
  constexpr double shortest = 1;  // [second] of a run
  constexpr double never = -1e9;  // inliers: more than any run can make good
  std::vector<double> lead(one.frames.size(), 0);
  for (std::size_t k = 0; k < lead.size(); ++k) {
    const double seconds = one.frames[k].*time;
    if (seconds < from - same_time || seconds >= to) {
      lead[k] = never;
      continue;
    }
    lead[k] = dominance * inliers_at(another, seconds, time) - one.frames[k].inliers;
  }
  while (true) {
    // The run with the greatest sum.
    double sum = 0, most = 0;
    std::size_t begin = 0, best_begin = 0, best_end = 0;
    for (std::size_t k = 0; k < lead.size(); ++k) {
      if (sum <= 0) {
        sum = 0;
        begin = k;
      }
      sum += lead[k];
      if (sum <= most) continue;
      most = sum;
      best_begin = begin;
      best_end = k + 1;
    }
    if (most <= 0) return;
    const double length = one.frames[best_end - 1].query_to - one.frames[best_begin].query_from;
    const bool is_all = best_begin == 0 && best_end == lead.size();
    for (std::size_t k = best_begin; k < best_end; ++k) {
      lead[k] = never;
      if (length >= shortest || is_all) marked[k] = true;
    }
  }
}

// Frames of `one` that `another` explains better: a still camera makes frames match at all times, but best at the
// right one. A segment that matches clearly worse beside its line is right too: the clip repeats itself.
std::vector<bool> dominated(ComparedFrames& clips, const CopyCandidate& one, const CopyCandidate& another) {
  std::vector<bool> marked(one.frames.size());
  const CopySegment& s = another.segment;
  mark_dominated(one, another, &LineFrame::query_from, s.query_in, s.query_out, marked);
  mark_dominated(one, another, &LineFrame::other_time, s.other_in, s.other_out, marked);
  if (std::find(marked.begin(), marked.end(), true) == marked.end()) return marked;
  if (line_contrast(clips, one, marked) >= least_contrast) marked.assign(marked.size(), false);
  return marked;
}

// Whether most of `one` lies within `another` in both clips.
bool is_within(const CopySegment& one, const CopySegment& another) {
  return 2 * overlap(one.query_in, one.query_out, another.query_in, another.query_out) > one.query_out - one.query_in &&
         2 * overlap(one.other_in, one.other_out, another.other_in, another.other_out) > one.other_out - one.other_in;
}

// Frames of `one` that lie on nearly the same line as `another`; all if most of it lies within the other in both
// clips: a camera that pans slowly also matches itself a little later, with another similarity.
std::vector<bool> coincident(const CopyCandidate& one, const CopyCandidate& another) {
  std::vector<bool> marked(one.frames.size(), is_within(one.segment, another.segment));
  if (is_within(one.segment, another.segment)) return marked;
  for (std::size_t k = 0; k < marked.size(); ++k) {
    const LineFrame& frame = one.frames[k];
    const CopySegment& s = another.segment;
    marked[k] = frame.query_from >= s.query_in - near_in_time && frame.query_from < s.query_out + near_in_time &&
                std::abs(frame.other_time - another.line.other_at(frame.query_from)) < near_in_time;
  }
  return marked;
}

// Frames of `one` at times of a clip that the stronger `another` shows elsewhere, if the time does not matter to
// them: a still camera matches both, and one place must be right.
std::vector<bool> undecided(ComparedFrames& clips, const CopyCandidate& one, const CopyCandidate& another) {
  std::vector<bool> marked(one.frames.size());
  const CopySegment& s = another.segment;
  for (std::size_t k = 0; k < marked.size(); ++k) {
    const LineFrame& frame = one.frames[k];
    marked[k] = (frame.query_from >= s.query_in && frame.query_from < s.query_out) ||
                (frame.other_time >= s.other_in && frame.other_time < s.other_out);
  }
  if (std::find(marked.begin(), marked.end(), true) == marked.end()) return marked;
  if (line_contrast(clips, one, marked) >= least_contrast) marked.assign(marked.size(), false);
  return marked;
}

// What is left of a candidate without the marked frames.
std::vector<CopyCandidate> without(ComparedFrames& clips, const CopyOptions& options, CopyCandidate one,
                                   const std::vector<bool>& marked) {
  std::vector<CopyCandidate> rest;
  if (std::find(marked.begin(), marked.end(), true) == marked.end()) {
    rest.push_back(std::move(one));
    return rest;
  }
  for (std::size_t k = 0; k < marked.size(); ++k) {
    if (!marked[k]) continue;
    one.frames[k].evidence = 0;
    one.frames[k].counts = true;
  }
  for (std::vector<LineFrame>& part : aligned(one.frames)) {
    std::optional<CopyCandidate> piece = candidate_of(clips, options, one.line, one.other_from_query, std::move(part));
    if (piece) rest.push_back(std::move(*piece));
  }
  return rest;
}

void mark(std::vector<bool>& marked, const std::vector<bool>& also) {
  for (std::size_t k = 0; k < marked.size(); ++k) marked[k] = marked[k] || also[k];
}

// A candidate without the frames that another one explains better.
std::vector<CopyCandidate> without_dominated(ComparedFrames& clips, const CopyOptions& options,
                                             const std::vector<CopyCandidate>& candidates, std::size_t k) {
  std::vector<bool> marked(candidates[k].frames.size());
  for (std::size_t l = 0; l < candidates.size(); ++l) {
    if (l != k) mark(marked, dominated(clips, candidates[k], candidates[l]));
  }
  return without(clips, options, candidates[k], marked);
}

// Candidates without the frames that a stronger one has too, or that tell nothing beside it.
std::vector<CopyCandidate> without_shared(ComparedFrames& clips, const CopyOptions& options,
                                          std::vector<CopyCandidate> pieces, const CopyCandidate& stronger) {
  std::vector<CopyCandidate> rest;
  for (CopyCandidate& piece : pieces) {
    std::vector<bool> marked = coincident(piece, stronger);
    mark(marked, undecided(clips, piece, stronger));
    std::ranges::move(without(clips, options, std::move(piece), marked), std::back_inserter(rest));
  }
  return rest;
}

}  // namespace

std::vector<CopySegment> without_repetitions(ComparedFrames& clips, const CopyOptions& options,
                                             std::vector<CopyCandidate> candidates) {
  const auto better = [](const CopyCandidate& a, const CopyCandidate& b) {
    if (a.segment.inliers != b.segment.inliers) return a.segment.inliers > b.segment.inliers;
    return a.segment.query_in != b.segment.query_in ? a.segment.query_in < b.segment.query_in
                                                    : a.segment.other_in < b.segment.other_in;
  };
  std::vector<CopyCandidate> best;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    std::ranges::move(without_dominated(clips, options, candidates, k), std::back_inserter(best));
  }
  std::stable_sort(best.begin(), best.end(), better);
  std::vector<CopyCandidate> kept;
  for (CopyCandidate& one : best) {
    std::vector<CopyCandidate> pieces;
    pieces.push_back(std::move(one));
    for (const CopyCandidate& stronger : kept) {
      pieces = without_shared(clips, options, std::move(pieces), stronger);
    }
    std::move(pieces.begin(), pieces.end(), std::back_inserter(kept));
  }
  std::vector<CopySegment> segments;
  for (const CopyCandidate& one : kept) segments.push_back(one.segment);
  std::stable_sort(segments.begin(), segments.end(),
                   [](const CopySegment& a, const CopySegment& b) { return a.score > b.score; });
  return segments;
}

}  // namespace octavo
