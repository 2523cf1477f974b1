#include "video/signature/line_frames.h"

#include <algorithm>
#include <cstddef>

#include "video/signature/frame_times.h"

namespace octavo {
namespace {

// Chosen on three clips: docs/video-search.md, What was measured. Those of frames that stand, and many_features, are
// for a clip that ended on 20 s of one frame.
constexpr double away_from_line = 1;    // [second] where a frame should match worse
constexpr double least_share = 0.6;     // of the inliers there, which those on the line need
constexpr double least_evidence = 2.5;  // −log10 of the chance of a frame that counts as the same: once in 300 times
constexpr double drop = 1.5;            // [second] of frames that do not match, after which a segment ends
constexpr double gain = 2;              // what a matching second adds to the alignment, one that does not taking 1
constexpr double least_freeze = 2;      // [second] A frame that is shown for so long stands still,
constexpr double moving_frame = 1;      // [second] and a clip whose frames are shown for less than this moves.
constexpr std::size_t few_features = 12;   // fewer say nothing of a frame
constexpr std::size_t many_features = 48;  // of a frame that no copy turns into black, bars or a title

// Whether one frame is junk and the other is certainly not.
bool is_junk_beside_image(const FrameSignature& a, const FrameSignature& b) {
  return a.junk != Junk::none && b.junk == Junk::none && b.features.size() >= many_features;
}

// A frame that stands says once what it shows. Where the other clip moves meanwhile, the frame that matches best alone
// is the same. `shown` gives the number of the frame of `clip`, which may stand, also beyond the frames of the line.
template <class Shown>
void keep_one_of_frozen(std::vector<LineFrame>& frames, const ClipSignature& clip, const Shown& shown) {
  for (std::size_t begin = 0, end = 0; begin < frames.size(); begin = end) {
    std::size_t best = begin;
    double all = 0, moves = 0;  // [second]
    for (end = begin; end < frames.size() && shown(frames[end]) == shown(frames[begin]); ++end) {
      const double seconds = frames[end].query_to - frames[end].query_from;
      all += seconds;
      moves += seconds < moving_frame ? seconds : 0;
      if (frames[end].inliers > frames[best].inliers) best = end;
    }
    const FrameSignature& frame = clip.frames[shown(frames[begin])];
    if (frame.until - frame.seconds < least_freeze || 2 * moves < all) continue;
    for (std::size_t k = begin; k < end; ++k) {
      if (k != best && frames[k].query_to - frames[k].query_from < moving_frame) frames[k].evidence = 0;
    }
  }
}

void examine_one(ComparedFrames& clips, LineFrame& frame, const Similarity& similarity) {
  const FrameSignature& a = clips.query.frames[frame.query];
  const std::vector<std::int32_t> near = frames_near(clips, frame);
  const FrameSignature& shown = clips.other.frames[near.front()];
  frame.counts = is_junk_beside_image(a, shown) || is_junk_beside_image(shown, a);
  for (const std::int32_t j : near) {
    const FrameSignature& b = clips.other.frames[j];
    if (a.features.size() < few_features || b.features.size() < few_features) continue;
    frame.counts = true;
    const Agreement found = clips.agreement_of(frame.query, j, similarity);
    const auto inliers = static_cast<int>(found.in_a.size());
    if (inliers <= frame.inliers) continue;
    frame.other = j;
    frame.inliers = inliers;
    frame.evidence = found.evidence;
  }
  if (!is_same(frame)) return;
  // A frame that matches better beside the line belongs to another line.
  const auto last = static_cast<std::int32_t>(std::ssize(clips.other.frames)) - 1;
  for (const double away : {-away_from_line, away_from_line}) {
    const std::int32_t j = std::clamp(frame_at(clips.other, frame.other_time + away + clips.other_step / 2), 0, last);
    const Agreement beside = clips.agreement_of(frame.query, j, similarity);
    if (frame.inliers < least_share * static_cast<double>(beside.in_a.size())) frame.evidence = 0;
  }
}

}  // namespace

bool is_same(const LineFrame& frame) { return frame.evidence >= least_evidence; }

std::vector<LineFrame> frames_on(const ComparedFrames& clips, const TimeLine& line) {
  std::vector<LineFrame> frames;
  const double first = (-line.offset - clips.other_step / 2) / line.speed;
  const double last = (clips.other.seconds - line.offset + clips.other_step / 2) / line.speed;
  for (std::int32_t i = 0; i < std::ssize(clips.query.frames); ++i) {
    const FrameSignature& frame = clips.query.frames[i];
    const double to = std::min(frame.until, last);
    double from = std::max(frame.seconds, std::min(first, frame.until));
    // What stands for long is compared with each frame that the other clip shows meanwhile.
    while (from < to) {
      const std::int32_t shown = frame_at(clips.other, line.other_at(from + clips.query_step));
      const double next = (clips.other.frames[shown].until - line.offset) / line.speed;
      const double until = next > from && next + clips.query_step <= to ? next : to;
      double time = line.other_at(from);
      // What is shown for longer than a step of the other clip is not what this showed just before.
      if (line.speed * (until - from) > clips.other_step) time = std::max(time, clips.other.frames[shown].seconds);
      frames.push_back({.query = i, .query_from = from, .query_to = until, .other_time = time});
      from = until;
    }
  }
  return frames;
}

std::vector<std::int32_t> frames_near(const ComparedFrames& clips, const LineFrame& at) {
  const std::int32_t shown = frame_at(clips.other, at.other_time);
  std::vector<std::int32_t> near{shown};
  if (shown + 1 < std::ssize(clips.other.frames) &&
      clips.other.frames[shown + 1].seconds - at.other_time < clips.other_step) {
    near.push_back(shown + 1);
  }
  return near;
}

void examine(ComparedFrames& clips, std::vector<LineFrame>& frames, const Similarity& similarity) {
  for (LineFrame& frame : frames) examine_one(clips, frame, similarity);
  keep_one_of_frozen(frames, clips.query, [](const LineFrame& frame) { return frame.query; });
  keep_one_of_frozen(frames, clips.other,
                     [&](const LineFrame& frame) { return frame_at(clips.other, frame.other_time); });
}

std::vector<std::vector<LineFrame>> aligned(const std::vector<LineFrame>& frames) {
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

}  // namespace octavo
