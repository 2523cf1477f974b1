// Segments that two clips share. Hits are verified by the features of their frames. Votes over offsets and speeds
// propose lines in the plane of both times. Along each line neighbouring frames are matched, and a local alignment (as
// Smith and Waterman's: frames that match add, others subtract, and a segment ends where the sum has dropped too far)
// decides where segments begin and end. Of segments that show the same part, those that another explains better are
// dropped: a still camera makes frames match at all offsets, but best at the true one.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "octavo/copy_segment.h"
#include "signature/distinct_pairs.h"
#include "signature/frame_matches.h"
#include "signature/frame_times.h"
#include "signature/logarithm.h"
#include "signature/time_lines.h"

namespace octavo {
namespace {

constexpr std::size_t hits_of_frame = 12;  // those with the greatest scores are verified
constexpr double least_surprise = 0;       // of a hit that votes
constexpr int full_weight = 24;            // inliers above this number vote no more for themselves
constexpr std::size_t many_hits = 8;       // of a frame, whose median is what the place alone explains
constexpr double luck = 4;                 // inliers
constexpr double luck_of_inliers = 0.05;   // and this share of them
constexpr int most_lines = 24;
constexpr double least_votes = 0.3;
constexpr double least_share = 0.6;     // of the inliers of a frame within a second of the line, which those on it need
constexpr double least_evidence = 2.5;  // −log10 of the chance of a frame that counts as the same
constexpr double most_evidence = 9;     // what a second of frames can add to a score
constexpr double most_surprise = 20;    // what the second with most inliers counts
constexpr double drop = 1.5;            // [second] of frames that do not match, after which a segment ends
constexpr double gain = 2;              // what a matching second adds to the alignment, one that does not taking 1
constexpr double least_spread = 0.08;   // of the points of all frames of a segment
constexpr double most_disagreement = 0.06;  // of two similarities, as a share of the smaller frame's side
constexpr double dominance = 0.95;          // a segment with this share of another's inliers may be a repetition
constexpr double least_contrast = 1.4;      // so may one that has so many more inliers on its line than beside it
constexpr double near_in_time = 1.5;        // [second] lines of the same segment

// A frame of the query on a line.
struct LineFrame {
  std::int32_t query = 0, other = 0;
  double query_from = 0, query_to = 0;  // [second]
  double other_time = 0;                // [second] where the line meets it
  int inliers = 0;
  double evidence = 0;
  bool counts = true;  // false: too few features to say anything
};

struct Candidate {
  TimeLine line;
  Similarity other_from_query;
  std::vector<LineFrame> frames;  // all from the first to the last one
  CopySegment segment;
};

// How far two similarities lie apart: the greatest distance of the corners of the smaller frame, as a share of its
// side.
double disagreement(const Similarity& s, const Similarity& t, const FrameSignature& a, const FrameSignature& b) {
  const double side_a = std::sqrt(s.a * s.a + s.b * s.b) * std::max(a.width, a.height);
  const double side_b = std::max(b.width, b.height);
  double most = 0;
  if (side_a <= side_b) {
    for (const FramePoint corner : {FramePoint{0, 0}, FramePoint{1.0 * a.width, 0}, FramePoint{0, 1.0 * a.height},
                                    FramePoint{1.0 * a.width, 1.0 * a.height}}) {
      const FramePoint p = mapped(s, corner), q = mapped(t, corner);
      most = std::max(most, std::sqrt((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y)));
    }
    return most / std::max(side_a, 1.0);
  }
  // The corners of b lie at q in a by s; t must bring them back.
  const double scale2 = s.a * s.a + s.b * s.b;
  for (const FramePoint corner : {FramePoint{0, 0}, FramePoint{1.0 * b.width, 0}, FramePoint{0, 1.0 * b.height},
                                  FramePoint{1.0 * b.width, 1.0 * b.height}}) {
    const double x = corner.x - s.tx, y = corner.y - s.ty;
    const FramePoint q{(s.a * x + s.b * y) / scale2, (s.a * y - s.b * x) / scale2};
    const FramePoint back = mapped(t, q);
    most = std::max(most,
                    std::sqrt((back.x - corner.x) * (back.x - corner.x) + (back.y - corner.y) * (back.y - corner.y)));
  }
  return most / side_b;
}

class Comparison {
 public:
  Comparison(const ClipSignature& query, const ClipSignature& other, const CopyOptions& options)
      : query_(query),
        other_(other),
        options_(options),
        query_step_(usual_step(query)),
        other_step_(usual_step(other)) {}

  std::vector<CopySegment> segments(std::span<const FrameHit> hits) {
    std::vector<TimePair> pairs = verified(hits);
    std::vector<Candidate> candidates;
    for (int n = 0; n < most_lines && !pairs.empty(); ++n) {
      const VotedLine voted = best_line(pairs, options_.min_speed, options_.max_speed);
      if (voted.votes < least_votes) break;
      std::vector<Candidate> found = candidates_on(voted.line, pairs);
      remove_explained(pairs, voted.line, found);
      std::move(found.begin(), found.end(), std::back_inserter(candidates));
    }
    return without_dominated(std::move(candidates));
  }

 private:
  struct Compared {
    std::vector<FeaturePair> pairs;
    FrameMatch match;
  };

  // Valid until the next call.
  const Compared& compared(std::int32_t i, std::int32_t j) {
    constexpr std::size_t most_kept = 200000;  // some hundred megabytes at most
    if (compared_.size() >= most_kept) compared_.clear();
    const auto [place, is_new] = compared_.try_emplace({i, j});
    Compared& both = place->second;
    if (is_new) {
      both.pairs = near_pairs(query_.frames[i], other_.frames[j]);
      both.match = match_of(query_.frames[i], other_.frames[j], both.pairs);
    }
    return both;
  }

  FrameMatch match(std::int32_t i, std::int32_t j) { return compared(i, j).match; }

  Agreement agreement_of(std::int32_t i, std::int32_t j, const Similarity& similarity) {
    return agreement(query_.frames[i], other_.frames[j], compared(i, j).pairs, similarity);
  }

  // The hits whose frames match, by ascending query, with their times.
  std::vector<TimePair> verified(std::span<const FrameHit> hits) {
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
      const FrameMatch found = match(i, j);
      if (found.surprise < least_surprise || found.inliers == 0) continue;
      const FrameSignature& a = query_.frames[i];
      const FrameSignature& b = other_.frames[j];
      pairs.push_back({.query = i,
                       .other = j,
                       .query_from = a.seconds,
                       .query_to = std::max(a.seconds, a.until - query_step_),
                       .other_from = b.seconds - other_step_ / 2,
                       .other_to = std::max(b.seconds, b.until - other_step_) + other_step_ / 2,
                       .weight = static_cast<double>(found.inliers)});
    }
    weigh_by_contrast(pairs);
    return pairs;
  }

  // Slow scenes match their neighbours too, and a still camera matches always, so the frames that match a frame of the
  // query best must outvote the others: the weight is the fourth power of the share of the best one's inliers, both
  // above the median of many. Small numbers are luck, and some are added. All weigh less if even the best has few.
  static void weigh_by_contrast(std::vector<TimePair>& pairs) {
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

  // The frames of the other clip that may show what the query shows when the line meets it.
  std::vector<std::int32_t> frames_near(const LineFrame& at) const {
    const std::int32_t shown = frame_at(other_, at.other_time);
    std::vector<std::int32_t> near{shown};
    if (shown + 1 < std::ssize(other_.frames) && other_.frames[shown + 1].seconds - at.other_time < other_step_) {
      near.push_back(shown + 1);
    }
    return near;
  }

  std::vector<LineFrame> frames_on(const TimeLine& line) const {
    std::vector<LineFrame> frames;
    for (std::int32_t i = 0; i < std::ssize(query_.frames); ++i) {
      const FrameSignature& frame = query_.frames[i];
      // Of a still frame that stands for long, the part that the other clip covers.
      const double first = (-line.offset - other_step_ / 2) / line.speed;
      const double last = (other_.seconds - line.offset + other_step_ / 2) / line.speed;
      const double from = std::max(frame.seconds, std::min(first, frame.until));
      const double to = std::min(frame.until, last);
      if (from >= to) continue;
      frames.push_back({.query = i, .query_from = from, .query_to = to, .other_time = line.other_at(from)});
    }
    return frames;
  }

  // The similarity that most matches along the line agree with, weighted by their inliers.
  std::optional<Similarity> common_similarity(const std::vector<LineFrame>& frames) {
    std::vector<std::pair<std::int32_t, FrameMatch>> found;
    for (const LineFrame& frame : frames) {
      for (const std::int32_t j : frames_near(frame)) {
        const FrameMatch one = match(frame.query, j);
        if (one.inliers > 0 && one.surprise >= least_surprise) found.emplace_back(frame.query, one);
      }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.second.inliers > b.second.inliers; });
    constexpr std::size_t tried = 40;
    std::optional<Similarity> best;
    int most = 0;
    for (std::size_t k = 0; k < std::min(found.size(), tried); ++k) {
      const Similarity& similarity = found[k].second.b_from_a;
      int support = 0;
      for (const auto& [i, one] : found) {
        if (disagreement(similarity, one.b_from_a, query_.frames[i], other_.frames.front()) < most_disagreement) {
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
  Similarity pooled_similarity(Similarity similarity, const std::vector<LineFrame>& frames) {
    for (int round = 0; round < 2; ++round) {
      std::vector<FramePoint> from, to;
      for (const LineFrame& frame : frames) {
        if (!is_same(frame)) continue;
        const Agreement same = agreement_of(frame.query, frame.other, similarity);
        from.insert(from.end(), same.in_a.begin(), same.in_a.end());
        to.insert(to.end(), same.in_b.begin(), same.in_b.end());
      }
      if (from.empty()) break;
      similarity = fitted(from, to).value_or(similarity);
    }
    return similarity;
  }

  void examine(LineFrame& frame, const Similarity& similarity) {
    constexpr std::size_t few_features = 12;
    const FrameSignature& a = query_.frames[frame.query];
    bool can_match = false;
    for (const std::int32_t j : frames_near(frame)) {
      const FrameSignature& b = other_.frames[j];
      if (a.features.size() < few_features || b.features.size() < few_features) continue;
      can_match = true;
      const Agreement found = agreement_of(frame.query, j, similarity);
      const auto inliers = static_cast<int>(found.in_a.size());
      if (inliers <= frame.inliers) continue;
      frame.other = j;
      frame.inliers = inliers;
      frame.evidence = found.evidence;
    }
    frame.counts = can_match;
    if (!is_same(frame)) return;
    // A frame that matches better beside the line belongs to another line.
    const auto last = static_cast<std::int32_t>(std::ssize(other_.frames)) - 1;
    for (const double away : {-1.0, 1.0}) {
      const std::int32_t j = std::clamp(frame_at(other_, frame.other_time + away + other_step_ / 2), 0, last);
      const Agreement beside = agreement_of(frame.query, j, similarity);
      if (frame.inliers < least_share * static_cast<double>(beside.in_a.size())) frame.evidence = 0;
    }
  }

  static bool is_same(const LineFrame& frame) { return frame.evidence >= least_evidence; }

  // The local alignments of frames on a line.
  std::vector<std::vector<LineFrame>> aligned(const std::vector<LineFrame>& frames) const {
    std::vector<std::vector<LineFrame>> parts;
    std::size_t begin = 0, best_end = 0;
    double sum = 0, most = 0;
    const auto close = [&](std::size_t next) {
      if (best_end > begin) parts.emplace_back(frames.begin() + begin, frames.begin() + best_end);
      begin = best_end = next;
      sum = most = 0;
    };
    for (std::size_t k = 0; k < frames.size(); ++k) {
      const LineFrame& frame = frames[k];
      if (k > begin && frames[k].query_from - frames[k - 1].query_to > drop) close(k);
      const double seconds = frame.query_to - frame.query_from;
      if (is_same(frame)) {
        if (sum <= 0) {
          begin = best_end = k;
          sum = most = 0;
        }
        sum += gain * seconds;
      } else if (frame.counts) {
        sum -= seconds;
      }
      if (is_same(frame) && sum >= most) {
        most = sum;
        best_end = k + 1;
      }
      if (sum < most - drop || sum <= 0) close(k + 1);
    }
    close(frames.size());
    return parts;
  }

  // −log10 of the chance of all seconds. Of each the frame with most inliers counts. The similarity comes from the
  // second with most inliers; the others count as far as their pairs are new.
  static double evidence_of(const std::map<std::int64_t, std::vector<Agreement>>& of_second) {
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
        sum += std::min(best->surprise, most_surprise);
      } else {
        const double share = seen.new_ones(*best) / static_cast<double>(best->in_a.size());
        sum += std::min(share * best->evidence, most_evidence);
      }
      for (const Agreement& frame : *frames) seen.add(frame);
    }
    return sum;
  }

  std::optional<Candidate> candidate_of(const TimeLine& line, const Similarity& similarity,
                                        std::vector<LineFrame> frames) {
    Candidate found{line, similarity, std::move(frames), {}};
    CopySegment& segment = found.segment;
    std::vector<FramePoint> points;
    std::map<std::int64_t, std::vector<Agreement>> of_second;
    for (const LineFrame& frame : found.frames) {
      if (!is_same(frame)) continue;
      ++segment.frames;
      segment.inliers += frame.inliers;
      Agreement same = agreement_of(frame.query, frame.other, similarity);
      points.insert(points.end(), same.in_b.begin(), same.in_b.end());
      of_second[static_cast<std::int64_t>(frame.query_from)].push_back(std::move(same));
    }
    if (found.frames.empty()) return std::nullopt;
    segment.query_in = found.frames.front().query_from;
    segment.query_out = found.frames.back().query_to;
    segment.speed = line.speed;
    segment.other_in = std::max(0.0, line.other_at(segment.query_in));
    segment.other_out = std::min(other_.seconds, line.other_at(segment.query_out));
    segment.other_from_query = similarity;
    // The frame before the first one and the one after the last one may belong to it in part.
    const double of_query = segment.query_out - segment.query_in + query_step_;
    const double of_other = segment.other_out - segment.other_in + line.speed * query_step_;
    const double length = std::min(of_query, of_other);
    if (segment.frames < options_.min_frames || length < options_.min_seconds) return std::nullopt;
    if (spread_of(points, similarity, query_.frames[found.frames.front().query], other_.frames.front()) <
        least_spread) {
      return std::nullopt;
    }
    // Lines that are tried, and a similarity for each from any pair of features.
    constexpr double similarities = 4;
    segment.score =
        -log10_of(static_cast<double>(query_.frames.size()) * static_cast<double>(other_.frames.size())) - similarities;
    segment.score += evidence_of(of_second);
    if (segment.score < options_.min_score) return std::nullopt;
    return found;
  }

  // The line near this one on which the frames that match best lie. Neighbours match too, so weights are those of the
  // votes.
  TimeLine refined(const TimeLine& line, const Similarity& similarity, const std::vector<LineFrame>& frames) {
    constexpr std::size_t most_frames = 200;
    const std::size_t stride = frames.size() / most_frames + 1;
    const auto last = static_cast<std::int32_t>(std::ssize(other_.frames)) - 1;
    std::vector<TimePair> pairs;
    for (std::size_t k = 0; k < frames.size(); k += stride) {
      const LineFrame& frame = frames[k];
      if (!is_same(frame)) continue;
      const std::int32_t shown = frame_at(other_, line.other_at(frame.query_from));
      for (std::int32_t j = std::max(0, shown - 2); j <= std::min(shown + 3, last); ++j) {
        const Agreement found = agreement_of(frame.query, j, similarity);
        const double time = other_.frames[j].seconds;
        pairs.push_back(
            {frame.query, j, frame.query_from, frame.query_from, time, time, static_cast<double>(found.in_a.size())});
      }
    }
    weigh_by_contrast(pairs);
    return nearest_line(pairs, line, other_step_);
  }

  // The frames on a line that are not far from those that voted for it.
  std::vector<LineFrame> frames_near_hits(const TimeLine& line, const std::vector<TimePair>& pairs) const {
    constexpr double far = 10;  // [second]
    std::vector<double> times;
    for (const TimePair& pair : pairs) {
      const double predicted = line.other_at(pair.query_from);
      if (predicted < pair.other_from - near_in_time || predicted > pair.other_to + near_in_time) continue;
      times.push_back(pair.query_from);
    }
    std::vector<LineFrame> frames = frames_on(line);
    std::erase_if(frames, [&](const LineFrame& frame) {
      const auto next = std::lower_bound(times.begin(), times.end(), frame.query_from - far);
      return next == times.end() || *next > frame.query_to + far;
    });
    return frames;
  }

  std::vector<Candidate> candidates_on(const TimeLine& line, const std::vector<TimePair>& pairs) {
    std::vector<Candidate> found;
    std::vector<LineFrame> frames = frames_near_hits(line, pairs);
    const std::optional<Similarity> similarity = common_similarity(frames);
    if (!similarity) return found;
    for (LineFrame& frame : frames) examine(frame, *similarity);
    for (std::vector<LineFrame>& part : aligned(frames)) {
      std::optional<Candidate> rough = candidate_of(line, *similarity, part);
      if (!rough) continue;
      const Similarity pooled = pooled_similarity(*similarity, part);
      const TimeLine better = refined(line, pooled, part);
      std::vector<LineFrame> again = frames_on(better);
      // The frames of this part, and what lies between it and its neighbours.
      std::erase_if(again, [&](const LineFrame& frame) {
        return frame.query_from < part.front().query_from - near_in_time ||
               frame.query_to > part.back().query_to + near_in_time;
      });
      for (LineFrame& frame : again) examine(frame, pooled);
      std::optional<Candidate> longest;
      for (std::vector<LineFrame>& piece : aligned(again)) {
        std::optional<Candidate> one = candidate_of(better, pooled, std::move(piece));
        if (one && (!longest || one->segment.score > longest->segment.score)) longest = std::move(one);
      }
      found.push_back(longest ? std::move(*longest) : std::move(*rough));
    }
    return found;
  }

  void remove_explained(std::vector<TimePair>& pairs, const TimeLine& line, const std::vector<Candidate>& found) const {
    std::erase_if(pairs, [&](const TimePair& pair) {
      const double predicted = line.other_at(pair.query_from);
      if (predicted > pair.other_from - other_step_ && predicted < pair.other_to + other_step_) return true;
      return std::any_of(found.begin(), found.end(), [&](const Candidate& one) {
        const CopySegment& s = one.segment;
        const double time = one.line.other_at(pair.query_from);
        return pair.query_from >= s.query_in && pair.query_from < s.query_out &&
               time > pair.other_from - near_in_time && time < pair.other_to + near_in_time;
      });
    });
  }

  // The inliers of the marked frames on the line by those 1 to 1.5 s beside it. 1: the time does not matter, as for a
  // still camera.
  double line_contrast(const Candidate& candidate, const std::vector<bool>& marked) {
    constexpr std::size_t most_frames = 24;
    const auto count = static_cast<std::size_t>(std::count(marked.begin(), marked.end(), true));
    const std::size_t stride = count / most_frames + 1;
    double on = 0, beside = 0;
    std::size_t n = 0;
    for (std::size_t k = 0; k < candidate.frames.size(); ++k) {
      const LineFrame& frame = candidate.frames[k];
      if (!marked[k] || n++ % stride != 0 || !is_same(frame)) continue;
      for (const double away : {-1.5, -1.0, 1.0, 1.5}) {
        const double time = frame.other_time + away;
        if (time < 0 || time >= other_.seconds) continue;
        const Agreement there = agreement_of(frame.query, frame_at(other_, time), candidate.other_from_query);
        on += frame.inliers;
        beside += static_cast<double>(there.in_a.size());
      }
    }
    return beside == 0 ? std::numeric_limits<double>::infinity() : on / beside;
  }

  // The inliers of a candidate when the query, or the other clip, is at this time; 0 outside.
  static int inliers_at(const Candidate& candidate, double seconds, double LineFrame::*time) {
    const auto& frames = candidate.frames;
    const auto after = std::upper_bound(frames.begin(), frames.end(), seconds + 1e-6,
                                        [time](double t, const LineFrame& frame) { return t < frame.*time; });
    if (after == frames.begin()) return 0;
    const LineFrame& frame = *(after - 1);
    return seconds > frame.*time + near_in_time ? 0 : frame.inliers;
  }

  // Marks the frames of `one` in the longest runs over which `another` has more inliers at the same time of a clip.
  void mark_dominated(const Candidate& one, const Candidate& another, double LineFrame::*time, double from, double to,
                      std::vector<bool>& marked) const {
    constexpr double shortest = 1;  // [second] of a run
    std::vector<double> lead(one.frames.size(), 0);
    for (std::size_t k = 0; k < lead.size(); ++k) {
      const double seconds = one.frames[k].*time;
      if (seconds < from - 1e-6 || seconds >= to) {
        lead[k] = -1e9;
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
        lead[k] = -1e9;
        if (length >= shortest || is_all) marked[k] = true;
      }
    }
  }

  // Frames of `one` that `another` explains better: a still camera makes frames match at all times, but best at the
  // right one. A segment that matches clearly worse beside its line is right too: the clip repeats itself.
  std::vector<bool> dominated(const Candidate& one, const Candidate& another) {
    std::vector<bool> marked(one.frames.size());
    const CopySegment& s = another.segment;
    mark_dominated(one, another, &LineFrame::query_from, s.query_in, s.query_out, marked);
    mark_dominated(one, another, &LineFrame::other_time, s.other_in, s.other_out, marked);
    if (std::find(marked.begin(), marked.end(), true) == marked.end()) return marked;
    if (line_contrast(one, marked) >= least_contrast) marked.assign(marked.size(), false);
    return marked;
  }

  static double overlap(double a_in, double a_out, double b_in, double b_out) {
    return std::max(0.0, std::min(a_out, b_out) - std::max(a_in, b_in));
  }

  // Whether most of `one` lies within `another` in both clips.
  static bool is_within(const CopySegment& one, const CopySegment& another) {
    return 2 * overlap(one.query_in, one.query_out, another.query_in, another.query_out) >
               one.query_out - one.query_in &&
           2 * overlap(one.other_in, one.other_out, another.other_in, another.other_out) > one.other_out - one.other_in;
  }

  // Frames of `one` that lie on nearly the same line as `another`; all if most of it lies within the other in both
  // clips: a camera that pans slowly also matches itself a little later, with another similarity.
  static std::vector<bool> coincident(const Candidate& one, const Candidate& another) {
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
  std::vector<bool> undecided(const Candidate& one, const Candidate& another) {
    std::vector<bool> marked(one.frames.size());
    const CopySegment& s = another.segment;
    for (std::size_t k = 0; k < marked.size(); ++k) {
      const LineFrame& frame = one.frames[k];
      marked[k] = (frame.query_from >= s.query_in && frame.query_from < s.query_out) ||
                  (frame.other_time >= s.other_in && frame.other_time < s.other_out);
    }
    if (std::find(marked.begin(), marked.end(), true) == marked.end()) return marked;
    if (line_contrast(one, marked) >= least_contrast) marked.assign(marked.size(), false);
    return marked;
  }

  // What is left of a candidate without the marked frames.
  std::vector<Candidate> without(Candidate one, const std::vector<bool>& marked) {
    std::vector<Candidate> rest;
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
      std::optional<Candidate> piece = candidate_of(one.line, one.other_from_query, std::move(part));
      if (piece) rest.push_back(std::move(*piece));
    }
    return rest;
  }

  std::vector<CopySegment> without_dominated(std::vector<Candidate> candidates) {
    const auto better = [](const Candidate& a, const Candidate& b) {
      if (a.segment.inliers != b.segment.inliers) return a.segment.inliers > b.segment.inliers;
      return a.segment.query_in != b.segment.query_in ? a.segment.query_in < b.segment.query_in
                                                      : a.segment.other_in < b.segment.other_in;
    };
    std::vector<Candidate> best;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      std::vector<bool> marked(candidates[k].frames.size());
      for (std::size_t l = 0; l < candidates.size(); ++l) {
        if (l == k) continue;
        const std::vector<bool> out = dominated(candidates[k], candidates[l]);
        for (std::size_t f = 0; f < out.size(); ++f) marked[f] = marked[f] || out[f];
      }
      for (Candidate& one : without(candidates[k], marked)) best.push_back(std::move(one));
    }
    std::stable_sort(best.begin(), best.end(), better);
    std::vector<Candidate> kept;
    for (Candidate& one : best) {
      std::vector<Candidate> pieces;
      pieces.push_back(std::move(one));
      for (const Candidate& stronger : kept) {
        std::vector<Candidate> rest;
        for (Candidate& piece : pieces) {
          std::vector<bool> marked = coincident(piece, stronger);
          const std::vector<bool> also = undecided(piece, stronger);
          for (std::size_t k = 0; k < marked.size(); ++k) marked[k] = marked[k] || also[k];
          for (Candidate& left : without(std::move(piece), marked)) rest.push_back(std::move(left));
        }
        pieces = std::move(rest);
      }
      std::move(pieces.begin(), pieces.end(), std::back_inserter(kept));
    }
    std::vector<CopySegment> segments;
    for (const Candidate& one : kept) segments.push_back(one.segment);
    std::stable_sort(segments.begin(), segments.end(),
                     [](const CopySegment& a, const CopySegment& b) { return a.score > b.score; });
    return segments;
  }

  const ClipSignature& query_;
  const ClipSignature& other_;
  const CopyOptions& options_;
  double query_step_, other_step_;
  std::map<std::pair<std::int32_t, std::int32_t>, Compared> compared_;
};

}  // namespace

std::vector<CopySegment> find_copies(const ClipSignature& query, const ClipSignature& other,
                                     std::span<const FrameHit> hits, const CopyOptions& options) {
  validate(options);
  if (query.frames.empty() || other.frames.empty()) return {};
  return Comparison(query, other, options).segments(hits);
}

std::vector<FrameHit> all_hits(const ClipSignature& query, const ClipSignature& other) {
  constexpr double distance = 0.35;  // [second] of the query's frames; find_copies compares those between
  std::vector<FrameHit> hits;
  double last = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < query.frames.size(); ++i) {
    if (query.frames[i].seconds - last < distance || query.frames[i].features.empty()) continue;
    last = query.frames[i].seconds;
    for (std::size_t j = 0; j < other.frames.size(); ++j) {
      const FrameMatch match = match_frames(query.frames[i], other.frames[j]);
      if (match.surprise <= 0) continue;
      hits.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), static_cast<float>(match.inliers)});
    }
  }
  return hits;
}

}  // namespace octavo
