#include "video/signature/measured_speed.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "video/signature/best_shift.h"
#include "video/signature/cell_reader.h"
#include "video/signature/frame_cells.h"
#include "video/signature/overlap.h"
#include "video/signature/segment_end.h"

namespace octavo {
namespace {

// Developed on the grid's freezes, searched from the other side, and its speeds: docs/video-search.md, Ends.
constexpr double surely_another = 0.03;          // of a speed: from here on frames a second away tell it from 1
constexpr std::array moments_of{0.2, 0.5, 0.8};  // shares of the segment, around which frames are compared
constexpr double moment_reach = 1.1;             // [second] around a moment
constexpr double least_lead = 0.1;               // of SegmentEnd::agreement; docs/video-search.md, Ends
constexpr std::size_t few_frames = 12;           // around a moment
constexpr double least_lead_nearby = 0.3;        // of the best of many speeds: over a freeze one leads by chance
constexpr double most_error_of_speed = 1.2;      // as a ratio, of a coarse one,
constexpr double step_of_speed = 1.02;           // and the step of votes
constexpr double same_line = 0.2;                // [second]

// The frames around a moment of a segment, and what they say.
struct MeasuredMoment {
  SegmentEnd::Times at;
  CellWindow query, other;
  double lag = 0;                   // [second] of the line of speed 1 that agrees best
  double of_one = 0, of_speed = 0;  // agreement
};

struct Measurement {
  const CopySegment* segment;
  CellGrid grid{};
  std::vector<MeasuredMoment> moments{};
};

bool is_measured(const CopySegment& one) {
  return !one.still && !one.shaken && one.speed > 0 && std::abs(one.speed - 1) >= surely_another;
}

Measurement measurement_of(const CopySegment& one) {
  Measurement result{.segment = &one};
  for (const double share : moments_of) {
    const SegmentEnd::Times at{one.query_in + share * (one.query_out - one.query_in),
                               one.other_in + share * (one.other_out - one.other_in)};
    const double reach_of_other = moment_reach * std::max(1.0, one.speed) + most_shift;
    result.moments.push_back({at, {at.query, moment_reach, {}, one.negative}, {at.other, reach_of_other, {}}});
  }
  return result;
}

void read_frames(std::vector<Measurement>& all, const std::filesystem::path& query, const std::filesystem::path& other,
                 const VideoOptions& video, const ProgressSink& progress) {
  std::vector<double> query_times, other_times;
  double reach_of_other = 0;
  for (const Measurement& one : all) {
    for (const MeasuredMoment& moment : one.moments) {
      query_times.push_back(moment.query.centre);
      other_times.push_back(moment.other.centre);
      reach_of_other = std::max(reach_of_other, moment.other.reach);
    }
  }
  CellReader query_reader(query, video, query_times, moment_reach);
  CellReader other_reader(other, video, other_times, reach_of_other);
  std::vector<CellWindow*> of_query, of_other;
  for (Measurement& one : all) {
    one.grid = cell_grid(*one.segment, query_reader.size(), other_reader.size());
    for (MeasuredMoment& moment : one.moments) {
      moment.query.cells = one.grid.query;
      moment.other.cells = one.grid.other;
      of_query.push_back(&moment.query);
      of_other.push_back(&moment.other);
    }
  }
  query_reader.fill(of_query, progress);
  other_reader.fill(of_other, progress);
}

// The frames around a moment, before and after it.
class MomentFrames {
 public:
  MomentFrames(const MeasuredMoment& moment, const CellGrid& grid, double speed)
      : before_(moment.query.frames, moment.other.frames, grid.blocks, moment.at, speed, false),
        after_(moment.query.frames, moment.other.frames, grid.blocks, moment.at, speed, true) {}

  [[nodiscard]] Shift best(double speed) const {
    return best_shift(-most_shift, most_shift, [&](double shift) {
      return (before_.agreement(speed, shift) + after_.agreement(speed, shift)) / 2;
    });
  }

 private:
  SegmentEnd before_, after_;
};

void measure(MeasuredMoment& moment, const CellGrid& grid, double speed) {
  const MomentFrames frames(moment, grid, speed);
  const Shift of_one = frames.best(1);
  moment.lag = moment.at.other + of_one.seconds - moment.at.query;
  moment.of_one = of_one.correlation;
  moment.of_speed = frames.best(speed).correlation;
}

// Frames beyond the segment say nothing of its speed; windows of clips with few frames a second have them.
void leave_out_frames_beyond(Measurement& one) {
  for (MeasuredMoment& moment : one.moments) {
    std::erase_if(moment.query.frames, [&](const FrameCells& frame) {
      return frame.end <= one.segment->query_in || frame.begin >= one.segment->query_out;
    });
  }
}

// Whether a speed near the coarse one agrees clearly better than speed 1. By few frames a coarse speed is some percent
// off, and with it frames hardly agree better.
bool is_told_nearby(Measurement& one) {
  leave_out_frames_beyond(one);
  double of_one = 0, of_speed = 0;
  for (const MeasuredMoment& moment : one.moments) {
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
double lead_of_one(Measurement& one) {
  double of_one = 0, of_speed = 0;
  for (MeasuredMoment& moment : one.moments) {
    measure(moment, one.grid, one.segment->speed);
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
std::vector<CopySegment> parts_of(const Measurement& measurement) {
  std::vector<const MeasuredMoment*> told;
  for (const MeasuredMoment& one : measurement.moments) {
    if (one.of_one >= one.of_speed + least_lead) told.push_back(&one);
  }
  std::vector<CopySegment> parts;
  double from = measurement.segment->query_in;
  for (std::size_t begin = 0, end = 0; begin < told.size(); begin = end) {
    const MeasuredMoment* best = told[begin];
    for (end = begin; end < told.size() && std::abs(told[end]->lag - told[begin]->lag) < same_line; ++end) {
      if (told[end]->of_one > best->of_one) best = told[end];
    }
    const double to =
        end < told.size() ? (told[end - 1]->at.query + told[end]->at.query) / 2 : measurement.segment->query_out;
    if (auto part = part_at_speed_one(*measurement.segment, best->lag, from, to)) parts.push_back(*part);
    from = to;
  }
  return parts;
}

// Where the images tell no speed it is most likely 1: the line through the middle.
std::vector<CopySegment> part_in_doubt(const Measurement& measurement) {
  const CopySegment& whole = *measurement.segment;
  const MeasuredMoment& middle = measurement.moments[measurement.moments.size() / 2];
  const auto part = part_at_speed_one(whole, middle.lag, whole.query_in, whole.query_out);
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
  std::vector<Measurement> measurements;
  for (const CopySegment& one : segments) {
    if (is_measured(one)) measurements.push_back(measurement_of(one));
  }
  if (!measurements.empty()) read_frames(measurements, query, other, video, progress);
  std::vector<MeasuredSegment> result;
  const auto is_known = [&](const CopySegment& part) {
    return std::ranges::any_of(segments, [&](const CopySegment& one) { return lies_in(part, one); }) ||
           std::ranges::any_of(result, [&](const MeasuredSegment& one) { return lies_in(part, one.segment); });
  };
  auto measurement = measurements.begin();
  for (const CopySegment& one : segments) {
    if (!is_measured(one)) {
      result.push_back({one});
      continue;
    }
    const double lead = lead_of_one(*measurement);
    const bool is_one = lead >= least_lead;
    if (lead <= -least_lead || (!is_one && is_told_nearby(*measurement))) {
      result.push_back({one});
    } else {
      for (const CopySegment& part : is_one ? parts_of(*measurement) : part_in_doubt(*measurement)) {
        if (!is_known(part)) result.push_back({part, is_one ? std::nullopt : std::optional(one)});
      }
    }
    ++measurement;
  }
  return result;
}

}  // namespace octavo
