#include "video/signature/measured_speed.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "video/signature/frame_cells.h"
#include "video/signature/overlap.h"
#include "video/signature/segment_moments.h"

namespace octavo {
namespace {

// Developed on the grid's freezes, searched from the other side, and its speeds: docs/video-search.md, Ends.
constexpr double surely_another = 0.03;                // of a speed: from here on frames a second away tell it from 1
constexpr std::array moments_of_speed{0.2, 0.5, 0.8};  // shares of the segment, around which frames are compared
constexpr double least_lead = 0.1;                     // of SegmentEnd::agreement; docs/video-search.md, Ends
constexpr std::size_t few_frames = 12;                 // around a moment
constexpr double least_lead_nearby = 0.3;              // of the best of many speeds: over a freeze one leads by chance
constexpr double most_error_of_speed = 1.2;            // as a ratio, of a coarse one,
constexpr double step_of_speed = 1.02;                 // and the step of votes
constexpr double same_line = 0.2;                      // [second]

// What the frames around a moment say.
struct MeasuredMoment {
  const SegmentMoment* moment;
  double lag = 0;                   // [second] of the line of speed 1 that agrees best
  double of_one = 0, of_speed = 0;  // agreement
};

bool is_measured(const CopySegment& one) {
  return !one.still && !one.shaken && one.speed > 0 && std::abs(one.speed - 1) >= surely_another;
}

std::vector<MeasuredMoment> measured(const SegmentMoments& one) {
  std::vector<MeasuredMoment> result;
  for (const SegmentMoment& moment : one.moments) {
    const MomentFrames frames(moment, one.grid, one.segment->speed);
    const Shift of_one = frames.best(1);
    result.push_back({&moment, moment.at.other + of_one.seconds - moment.at.query, of_one.correlation,
                      frames.best(one.segment->speed).correlation});
  }
  return result;
}

// Whether a speed near the coarse one agrees clearly better than speed 1. By few frames a coarse speed is some percent
// off, and with it frames hardly agree better.
bool is_told_nearby(SegmentMoments& one) {
  leave_out_frames_beyond(one);  // windows of clips with few frames a second have them
  double of_one = 0, of_speed = 0;
  for (const SegmentMoment& moment : one.moments) {
    if (moment.query.frames.size() > few_frames) return false;
    const MomentFrames frames(moment, one.grid, one.segment->speed);
    of_one = std::max(of_one, frames.best(1).correlation);
    for (double change = 1 / most_error_of_speed; change < most_error_of_speed; change *= step_of_speed) {
      const double speed = change * one.segment->speed;
      if (std::abs(speed - 1) >= surely_another) of_speed = std::max(of_speed, frames.best(speed).correlation);
    }
  }
  return of_speed >= of_one + least_lead_nearby;
}

// By how much speed 1 agrees better at its best moment than the other speed at its own.
double lead_of_one(const std::vector<MeasuredMoment>& moments) {
  double of_one = 0, of_speed = 0;
  for (const MeasuredMoment& moment : moments) {
    of_one = std::max(of_one, moment.of_one);
    of_speed = std::max(of_speed, moment.of_speed);
  }
  return of_one - of_speed;
}

// The part of a segment on the line of speed 1 with this lag, between two times of the query; none if it misses it.
std::optional<CopySegment> part_at_speed_one(const CopySegment& whole, double lag, double from, double to) {
  CopySegment part = whole;
  part.speed = 1;
  part.query_in = std::max(from, whole.other_in - lag);
  part.query_out = std::min(to, whole.other_out - lag);
  part.other_in = part.query_in + lag;
  part.other_out = part.query_out + lag;
  part.change_in = part.query_in;
  part.change_out = part.query_out;
  return part.query_in < part.query_out ? std::optional(part) : std::nullopt;
}

// Moments with one lag, one after the other, are of one part.
std::vector<CopySegment> parts_of(const CopySegment& whole, const std::vector<MeasuredMoment>& moments) {
  std::vector<const MeasuredMoment*> told;
  for (const MeasuredMoment& one : moments) {
    if (one.of_one >= one.of_speed + least_lead) told.push_back(&one);
  }
  std::vector<CopySegment> parts;
  double from = whole.query_in;
  for (std::size_t begin = 0, end = 0; begin < told.size(); begin = end) {
    const MeasuredMoment* best = told[begin];
    for (end = begin; end < told.size() && std::abs(told[end]->lag - told[begin]->lag) < same_line; ++end) {
      if (told[end]->of_one > best->of_one) best = told[end];
    }
    const double to =
        end < told.size() ? (told[end - 1]->moment->at.query + told[end]->moment->at.query) / 2 : whole.query_out;
    if (auto part = part_at_speed_one(whole, best->lag, from, to)) parts.push_back(*part);
    from = to;
  }
  return parts;
}

// Where the images tell no speed it is most likely 1: the line through the middle.
std::vector<CopySegment> part_in_doubt(const CopySegment& whole, const std::vector<MeasuredMoment>& moments) {
  const auto part = part_at_speed_one(whole, moments[moments.size() / 2].lag, whole.query_in, whole.query_out);
  return part ? std::vector{*part} : std::vector<CopySegment>{};
}

// Whether most of the part lies in another segment, on the same line.
bool lies_in(const CopySegment& part, const CopySegment& one) {
  return one.mirrored == part.mirrored && one.negative == part.negative && one.speed == 1 &&
         std::abs(one.other_in - one.query_in - (part.other_in - part.query_in)) < same_line &&
         2 * overlap(one.query_in, one.query_out, part.query_in, part.query_out) > part.query_out - part.query_in;
}

}  // namespace

std::vector<MeasuredSegment> at_measured_speeds(std::span<const CopySegment> segments,
                                                const std::filesystem::path& query, const std::filesystem::path& other,
                                                const VideoOptions& video, const ProgressSink& progress) {
  std::vector<SegmentMoments> measurements;
  for (const CopySegment& one : segments) {
    if (is_measured(one)) measurements.push_back(moments_of(one, moments_of_speed));
  }
  read_moments(measurements, query, other, video, progress);
  std::vector<MeasuredSegment> result;
  const auto is_known = [&](const CopySegment& part) {
    return std::ranges::any_of(segments, [&](const CopySegment& one) { return lies_in(part, one); }) ||
           std::ranges::any_of(result, [&](const MeasuredSegment& one) { return lies_in(part, one.segment); });
  };
  auto frames = measurements.begin();
  for (const CopySegment& one : segments) {
    if (!is_measured(one)) {
      result.push_back({one});
      continue;
    }
    const std::vector<MeasuredMoment> moments = measured(*frames);
    const double lead = lead_of_one(moments);
    const bool is_one = lead >= least_lead;
    if (lead <= -least_lead || (!is_one && is_told_nearby(*frames))) {
      result.push_back({one});
    } else {
      for (const CopySegment& part : is_one ? parts_of(one, moments) : part_in_doubt(one, moments)) {
        if (!is_known(part)) result.push_back({part, is_one ? std::nullopt : std::optional(one)});
      }
    }
    ++frames;
  }
  return result;
}

}  // namespace octavo
