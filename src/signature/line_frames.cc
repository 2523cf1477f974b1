#include "signature/line_frames.h"

#include <algorithm>
#include <cstddef>

#include "signature/frame_times.h"

namespace octavo {
namespace {

constexpr double least_share = 0.6;     // of the inliers of a frame within a second of the line, which those on it need
constexpr double least_evidence = 2.5;  // −log10 of the chance of a frame that counts as the same
constexpr double drop = 1.5;            // [second] of frames that do not match, after which a segment ends
constexpr double gain = 2;              // what a matching second adds to the alignment, one that does not taking 1

}  // namespace

bool is_same(const LineFrame& frame) { return frame.evidence >= least_evidence; }

std::vector<LineFrame> frames_on(const ComparedFrames& clips, const TimeLine& line) {
  std::vector<LineFrame> frames;
  for (std::int32_t i = 0; i < std::ssize(clips.query.frames); ++i) {
    const FrameSignature& frame = clips.query.frames[i];
    // Of a still frame that stands for long, the part that the other clip covers.
    const double first = (-line.offset - clips.other_step / 2) / line.speed;
    const double last = (clips.other.seconds - line.offset + clips.other_step / 2) / line.speed;
    const double from = std::max(frame.seconds, std::min(first, frame.until));
    const double to = std::min(frame.until, last);
    if (from >= to) continue;
    frames.push_back({.query = i, .query_from = from, .query_to = to, .other_time = line.other_at(from)});
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

void examine(ComparedFrames& clips, LineFrame& frame, const Similarity& similarity) {
  constexpr std::size_t few_features = 12;
  const FrameSignature& a = clips.query.frames[frame.query];
  bool can_match = false;
  for (const std::int32_t j : frames_near(clips, frame)) {
    const FrameSignature& b = clips.other.frames[j];
    if (a.features.size() < few_features || b.features.size() < few_features) continue;
    can_match = true;
    const Agreement found = clips.agreement_of(frame.query, j, similarity);
    const auto inliers = static_cast<int>(found.in_a.size());
    if (inliers <= frame.inliers) continue;
    frame.other = j;
    frame.inliers = inliers;
    frame.evidence = found.evidence;
  }
  frame.counts = can_match;
  if (!is_same(frame)) return;
  // A frame that matches better beside the line belongs to another line.
  const auto last = static_cast<std::int32_t>(std::ssize(clips.other.frames)) - 1;
  for (const double away : {-1.0, 1.0}) {
    const std::int32_t j = std::clamp(frame_at(clips.other, frame.other_time + away + clips.other_step / 2), 0, last);
    const Agreement beside = clips.agreement_of(frame.query, j, similarity);
    if (frame.inliers < least_share * static_cast<double>(beside.in_a.size())) frame.evidence = 0;
  }
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
