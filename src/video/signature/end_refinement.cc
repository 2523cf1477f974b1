// The ends of segments to the frame. Both clips are decoded around the ends with all frames, each of which becomes some
// hundred mean values (frame_cells.h). Parts that something else hides, such as a picture in the picture, are left out:
// nothing correlates there, and a segment without other parts is false. First the shift in time is found with which the
// frames within the segment correlate best, then the frame from which on they do. A segment is false if both clips show
// the same place, but what moves there does not move alike: then they show it at different times.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "octavo/video/copy_segment.h"
#include "video/signature/frame_cells.h"
#include "video/signature/segment_end.h"

namespace octavo {
namespace {

// Developed on 16 copies of the grid: docs/video-search.md, Ends and What was measured.
constexpr double end_reach = 1;      // [second] around an end: twice what coarse ends are off by
constexpr double most_change = 1.2;  // of the coarse speed, as a ratio; more is a mistake
// By so much of what no shift explains one line may correlate less than two shifts, and by so much more at speed 1.
constexpr double unexplained = 0.1, more_of_one = 0.01;
constexpr double same_length = 0.08;  // [second] two frames of 25 a second: a smaller difference of lengths is speed 1

struct Shift {
  double seconds = 0, correlation = 0;
};

// The shift from `low` to `high` with the greatest correlation; of several the middle one, since between two frames
// nothing changes.
template <class Correlation>
Shift best_shift(double low, double high, const Correlation& correlation) {
  constexpr double step = 0.002;  // [second] a twentieth of a frame of 25 a second
  constexpr double equal = 1e-9;  // above the rounding of a mean correlation
  double most = -std::numeric_limits<double>::infinity(), first = low, last = low;
  bool in_run = false;
  const auto steps = static_cast<int>((high - low) / step);
  for (int k = 0; k <= steps; ++k) {
    const double seconds = low + step * k, one = correlation(seconds);
    if (one > most + equal) {
      most = one;
      first = last = seconds;
      in_run = true;
    } else if (in_run && one >= most - equal) {
      last = seconds;
    } else {
      in_run = false;
    }
  }
  return {(first + last) / 2, most};
}

// How the coarse line is corrected: its speed, and a shift at either end.
struct Correction {
  double speed = 1, in = 0, out = 0;
};

// A slow scene tells little of time, and hidden parts tell nothing. So one line for both ends, of speed 1 or of the
// coarse speed, is taken where it is nearly as good as the best shifts of either end.
Correction correction_of(const SegmentEnd& in, const SegmentEnd& out, double speed, double coarse_speed) {
  const Shift of_in =
      best_shift(-most_shift, most_shift, [&](double shift) { return in.mean_correlation(speed, shift); });
  const Shift of_out =
      best_shift(-most_shift, most_shift, [&](double shift) { return out.mean_correlation(speed, shift); });
  const double most = of_in.correlation + of_out.correlation;
  // The less of the images the best shifts explain, the less they say.
  const double nearly = unexplained * std::max(2 - most, 0.0);
  struct Line {
    double speed, nearly;
  };
  std::vector<Line> lines;
  if (std::abs(speed - 1) < near_one || std::abs(coarse_speed - 1) < near_one)
    lines.push_back({1, nearly + more_of_one});
  lines.push_back({coarse_speed, nearly});
  for (const Line& line : lines) {
    const double in_lag = in.lag(line.speed), out_lag = out.lag(line.speed);
    const double low = std::max(in_lag, out_lag) - most_shift, high = std::min(in_lag, out_lag) + most_shift;
    if (low >= high) continue;
    const Shift lag = best_shift(low, high, [&](double seconds) {
      return in.mean_correlation(line.speed, seconds - in_lag) + out.mean_correlation(line.speed, seconds - out_lag);
    });
    if (lag.correlation >= most - line.nearly) return {line.speed, lag.seconds - in_lag, lag.seconds - out_lag};
  }
  return {speed, of_in.seconds, of_out.seconds};
}

// A segment, and the frames around its ends.
struct Windows {
  const CopySegment& segment;
  const CellGrid& grid;
  const CellWindow &query_in, &query_out, &other_in, &other_out;
};

// Whether the motion at both ends speaks against the segment.
bool contradicts(Motion in, Motion out) {
  const auto any = [&](Motion motion) { return in == motion || out == motion; };
  if (any(Motion::different) && !any(Motion::alike)) return true;
  // The place is right, but the time could be any.
  return in == Motion::hidden && out == Motion::hidden;
}

// None if the frames contradict the segment.
std::optional<CopySegment> refined_ends(const Windows& windows) {
  const CopySegment& coarse = windows.segment;
  SegmentEnd in(windows.query_in.frames, windows.other_in.frames, windows.grid.blocks,
                {coarse.query_in, coarse.other_in}, coarse.speed, true);
  SegmentEnd out(windows.query_out.frames, windows.other_out.frames, windows.grid.blocks,
                 {coarse.query_out, coarse.other_out}, coarse.speed, false);
  CopySegment result = coarse;
  Correction better;
  // The first round gives a better speed to the second, and the frames that are within the segment.
  for (int round = 0; round < 2; ++round) {
    better = correction_of(in, out, result.speed, coarse.speed);
    if (const std::optional<SegmentEnd::Times> times = in.find(better.speed, better.in)) {
      result.query_in = times->query;
      result.other_in = times->other;
      in.keep_inside(result.query_in);
    }
    if (const std::optional<SegmentEnd::Times> times = out.find(better.speed, better.out)) {
      result.query_out = times->query;
      result.other_out = times->other;
      out.keep_inside(result.query_out);
    }
    const double length = result.query_out - result.query_in;
    result.speed = length > 0 ? (result.other_out - result.other_in) / length : 0;
    const double change = result.speed / coarse.speed;
    if (change > most_change || change < 1 / most_change) {
      result = coarse;
      break;
    }
  }
  if (in.is_elsewhere() && out.is_elsewhere()) return std::nullopt;
  if (contradicts(in.motion(better.speed, better.in), out.motion(better.speed, better.out))) return std::nullopt;
  if (std::abs(result.speed - 1) * (result.query_out - result.query_in) < same_length) result.speed = 1;
  return result;
}

// How far from its centre the window of the other clip must end_reach, so that each frame of the query's window has a
// partner at every shift. A query with few frames a second has frames farther away than `end_reach`. [second]
double partners_reach(const CellWindow& query, double speed) {
  double farthest = end_reach;
  for (const FrameCells& frame : query.frames)
    farthest = std::max({farthest, query.centre - frame.begin, frame.end - query.centre});
  return farthest * std::max(1.0, speed) + most_shift;
}

// A copy that runs backwards is compared in the query's time counted down. Both undo themselves.
CopySegment turned_back(CopySegment segment) {
  segment.query_in = -std::exchange(segment.query_out, -segment.query_in);
  segment.speed = -segment.speed;
  return segment;
}

void turn_back(CellWindow& window) {
  window.centre = -window.centre;
  std::ranges::reverse(window.frames);
  for (FrameCells& frame : window.frames) frame.begin = -std::exchange(frame.end, -frame.begin);
}

}  // namespace

std::vector<CopySegment> refine_ends(std::span<const CopySegment> segments, const std::filesystem::path& query,
                                     const std::filesystem::path& other, const VideoOptions& video) {
  if (segments.empty()) return {};
  std::vector<double> query_ends, other_ends;
  double fastest = 1;
  for (const CopySegment& one : segments) {
    query_ends.insert(query_ends.end(), {one.query_in, one.query_out});
    other_ends.insert(other_ends.end(), {one.other_in, one.other_out});
    fastest = std::max(fastest, std::abs(one.speed));
  }
  CellReader query_reader(query, video, query_ends, end_reach);
  CellReader other_reader(other, video, other_ends, end_reach * fastest + most_shift);
  std::vector<CellGrid> grids;
  for (const CopySegment& one : segments) grids.push_back(cell_grid(one, query_reader.size(), other_reader.size()));
  std::vector<CellWindow> of_query, of_other;  // two for each segment
  for (std::size_t i = 0; i < segments.size(); ++i) {
    for (const double end : {segments[i].query_in, segments[i].query_out})
      of_query.push_back({end, end_reach, grids[i].query, segments[i].negative});
  }
  query_reader.fill(of_query);
  std::vector<CopySegment> forwards(segments.begin(), segments.end());
  for (std::size_t i = 0; i < segments.size(); ++i) {
    CopySegment& one = forwards[i];
    if (one.speed < 0) {
      one = turned_back(one);
      turn_back(of_query[2 * i]);
      turn_back(of_query[2 * i + 1]);
      std::swap(of_query[2 * i], of_query[2 * i + 1]);
    }
    of_other.push_back({one.other_in, partners_reach(of_query[2 * i], one.speed), grids[i].other});
    of_other.push_back({one.other_out, partners_reach(of_query[2 * i + 1], one.speed), grids[i].other});
  }
  other_reader.fill(of_other);
  std::vector<CopySegment> result;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (grids[i].query.size() < least_places) {
      result.push_back(segments[i]);
      continue;
    }
    const std::optional<CopySegment> better = refined_ends(
        {forwards[i], grids[i], of_query[2 * i], of_query[2 * i + 1], of_other[2 * i], of_other[2 * i + 1]});
    if (better) result.push_back(segments[i].speed < 0 ? turned_back(*better) : *better);
  }
  return result;
}

}  // namespace octavo
