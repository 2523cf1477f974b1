// The ends of segments to the frame. Both clips are decoded around the ends with all frames, each of which becomes some
// hundred mean values (frame_cells.h). Parts that something else hides, such as a picture in the picture, are left out:
// nothing correlates there, and a segment without other parts is false. First the shift in time is found with which the
// frames within the segment correlate best, then the frame from which on they do. A segment is false if both clips show
// the same place, but what moves there does not move alike: then they show it at different times.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "octavo/video/copy_segment.h"
#include "video/signature/best_shift.h"
#include "video/signature/cell_reader.h"
#include "video/signature/frame_cells.h"
#include "video/signature/image_ends.h"
#include "video/signature/line_and_place.h"
#include "video/signature/measured_speed.h"
#include "video/signature/rival_segments.h"
#include "video/signature/segment_end.h"
#include "video/signature/shaken_copies.h"
#include "video/signature/still_camera.h"
#include "video/signature/still_ends.h"

namespace octavo {
namespace {

// Developed on 16 copies of the grid: docs/video-search.md, Ends and What was measured.
constexpr double end_reach = most_shift + shortest_freeze + 0.1;  // [second] around an end: a freeze next to it shows
constexpr double most_change = 1.2;                               // of the coarse speed, as a ratio; more is a mistake
// By so much of what no shift explains one line may correlate less than two shifts, and by so much more at speed 1.
constexpr double unexplained_share = 0.1, more_of_one = 0.01;
constexpr int most_rounds = 4;
// How often a line is followed that lies beyond the greatest shift.
constexpr int most_looks_beyond = 2;
// Features that agree by chance in 10^10 pairs of clips once agree without the images; those of one place, mirrored, do
// by less.
constexpr double sure_score = 10;
constexpr double same_length = 0.08;  // [second] two frames of 25 a second: a smaller difference of lengths is speed 1

// How the coarse line is corrected: its speed, and a shift at either end.
struct Correction {
  double speed = 1, in = 0, out = 0;
  bool is_one = false;  // line: both shifts follow from it

  // Whether frames correlate best at the greatest shift that was tried: then they may correlate better beyond. The best
  // shift is the middle of a frame.
  [[nodiscard]] bool is_at_border(double frame) const {
    return std::min(std::abs(in), std::abs(out)) > most_shift - frame / 2 && (in > 0) == (out > 0);
  }
};

// The line of speed 1 on which both ends agree best, if they agree so well: a coarse end may lie so far outside the
// segment that most of its frames show something else, and correlate best at a false shift.
std::optional<Correction> line_of_one(const SegmentEnd& in, const SegmentEnd& out, double least) {
  const double in_lag = in.lag(1), out_lag = out.lag(1);
  const double low = std::max(in_lag, out_lag) - most_shift, high = std::min(in_lag, out_lag) + most_shift;
  if (low >= high) return std::nullopt;
  const Shift lag = best_shift(low, high, [&](double seconds) {
    return in.agreement(1, seconds - in_lag) + out.agreement(1, seconds - out_lag);
  });
  if (lag.correlation < least) return std::nullopt;
  return Correction{1, lag.seconds - in_lag, lag.seconds - out_lag, true};
}

// A slow scene tells little of time, and hidden parts tell nothing. So one line for both ends, of speed 1 or of the
// coarse speed, is taken where it is nearly as good as the best shifts of either end.
Correction correction_of(const SegmentEnd& in, const SegmentEnd& out, double speed, double coarse_speed) {
  const Shift of_in =
      best_shift(-most_shift, most_shift, [&](double shift) { return in.mean_correlation(speed, shift); });
  const Shift of_out =
      best_shift(-most_shift, most_shift, [&](double shift) { return out.mean_correlation(speed, shift); });
  const double most = of_in.correlation + of_out.correlation;
  // The less of the images the best shifts explain, the less they say.
  const double nearly = unexplained_share * std::max(2 - most, 0.0);
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
    if (lag.correlation >= most - line.nearly) return {line.speed, lag.seconds - in_lag, lag.seconds - out_lag, true};
  }
  const Correction two{speed, of_in.seconds, of_out.seconds};
  if (std::abs(coarse_speed - 1) >= near_one) return two;
  return line_of_one(in, out, in.agreement(speed, two.in) + out.agreement(speed, two.out)).value_or(two);
}

// The frames around some times of a segment in both clips.
struct Windows {
  CellWindow query, other;
};

// A copy that runs backwards is compared in the query's time counted down. Both undo themselves.
CopySegment turned_back(CopySegment segment) {
  segment.query_in = -std::exchange(segment.query_out, -segment.query_in);
  segment.change_in = -std::exchange(segment.change_out, -segment.change_in);
  segment.speed = -segment.speed;
  return segment;
}

// What the frames around the ends say of a segment. Unlikely: one end moves differently, and the other one does not
// move.
enum class Finding { copy, doubtful, unlikely, another };

// A segment, and the frames around its ends, around the changes next to them where it stands at its ends, and around
// moments that other segments show too.
struct SegmentWindows {
  explicit SegmentWindows(const CopySegment& one) : segment(one) {
    const auto windows_at = [&](double time) {
      const double other = one.speed < 0 ? one.other_out : one.other_in;
      return windows_around({time, other + one.speed * (time - one.query_in)});
    };
    in = windows_at(one.query_in);
    out = windows_at(one.query_out);
    out.other.centre = one.speed < 0 ? one.other_in : one.other_out;
    if (one.change_in > one.query_in) change_in = windows_at(one.change_in);
    if (one.change_out < one.query_out) change_out = windows_at(one.change_out);
  }

  // Of this segment, at a moment that another one shows too.
  void add_moment(const SegmentEnd::Times& at) { moments.emplace_back(at, windows_around(at)); }

  std::vector<Windows*> all() {
    std::vector<Windows*> windows{&in, &out};
    for (auto& [at, one] : moments) windows.push_back(&one);
    for (std::optional<Windows>* one : {&change_in, &change_out}) {
      if (*one) windows.push_back(&**one);
    }
    return windows;
  }

  void turn_back() {
    segment = turned_back(segment);
    for (Windows* windows : all()) octavo::turn_back(windows->query);
    std::swap(in, out);
    std::swap(change_in, change_out);
  }

  [[nodiscard]] Windows windows_around(const SegmentEnd::Times& at) const {
    return {{at.query, end_reach, {}, segment.negative}, {at.other, end_reach, {}, false, true}};
  }

  CopySegment segment;
  CellGrid grid;
  PlaceOffset place{};        // by which the cells of the other clip are corrected
  bool is_place_told = true;  // SettledLine::is_place_told
  Finding finding = Finding::copy;
  std::optional<Correction> beyond;  // a camera stands, and this line, or one farther away, is the best one
  Windows in, out;
  std::optional<Windows> change_in, change_out;
  std::vector<std::pair<SegmentEnd::Times, Windows>> moments;
};

// By the motion at both ends. Where it differs at one and there is none at the other, few frames say so: a camera that
// stands has more between. The place may be right, but what moves hidden, so that the time could be any.
Finding finding_by_motion(Motion in, Motion out, bool stands) {
  const auto any = [&](Motion motion) { return in == motion || out == motion; };
  if (any(Motion::alike) || (in == Motion::none && out == Motion::none)) return Finding::copy;
  return stands && any(Motion::none) && any(Motion::different) ? Finding::unlikely : Finding::another;
}

// The end of a segment by some of its frames. Frames around a change lie within it.
SegmentEnd segment_end(const SegmentWindows& around, const Windows& windows, bool is_in) {
  const CopySegment& s = around.segment;
  const SegmentEnd::Times coarse =
      is_in ? SegmentEnd::Times{s.query_in, s.other_in} : SegmentEnd::Times{s.query_out, s.other_out};
  return {windows.query.frames, windows.other.frames, around.grid.blocks, coarse, s.speed, is_in};
}

// The end: where a clip stands outwards from the change next to it and the other one moves, or by the frames around it.
std::optional<SegmentEnd::Found> found_end(const SegmentEnd& end, const SegmentEnd& change, double speed,
                                           double shift) {
  if (const std::optional<SegmentEnd::Found> frozen = change.freeze(speed, shift)) return frozen;
  return end.find(speed, shift);
}

// How far off the ends may be by the line: of speed 1 it is one line, which both tell together. Another speed follows
// from the frames near either end, and the line goes on from these to the ends.
double untold(const SegmentEnd& in, const SegmentEnd& out, const Correction& line, const CopySegment& refined) {
  const EndOnLine of_in{&in, line.in}, of_out{&out, line.out};
  if (line.is_one && line.speed == 1) return untold_time(std::array{of_in, of_out}, 1);
  const double by_in = untold_time(std::array{of_in}, line.speed), by_out = untold_time(std::array{of_out}, line.speed);
  const double first = in.told_at(), last = out.told_at();
  if (std::max(by_in, by_out) >= most_shift || first >= last) return most_shift;
  const auto at = [&](double time) {
    return (by_in * std::abs(last - time) + by_out * std::abs(time - first)) / (last - first);
  };
  return std::max(at(refined.query_in), at(refined.query_out));
}

// Moves the cells of the other clip to where both ends agree best, and corrects the speed.
void settle(SegmentWindows& around) {
  const Windows &in = around.change_in ? *around.change_in : around.in,
                &out = around.change_out ? *around.change_out : around.out;
  const std::optional<SettledLine> line =
      settled_line(segment_end(around, in, true), segment_end(around, out, false), around.segment.speed);
  if (!line) return;
  around.segment.speed = line->speed;
  around.place = line->place;
  around.is_place_told = line->is_place_told();
  for (Windows* windows : around.all()) {
    for (FrameCells& frame : windows->other.frames) frame = moved(std::move(frame), line->place);
  }
}

// The ends of another speed may be the right ones, off by what coarse ends are.
CopySegment in_doubt(CopySegment segment, const CopySegment& otherwise) {
  double apart = 0;  // [second]
  for (const auto end :
       {&CopySegment::query_in, &CopySegment::query_out, &CopySegment::other_in, &CopySegment::other_out})
    apart = std::max(apart, std::abs(segment.*end - otherwise.*end));
  segment.ends_within = std::max(segment.ends_within, apart + otherwise.ends_within);
  segment.exact_ends = false;
  return segment;
}

// [second] A frame of the clip with fewer frames a second, by those that were read.
double longest_frame(const SegmentWindows& around) {
  double longest = 0;
  for (const CellWindow* one : {&around.in.query, &around.in.other, &around.out.query, &around.out.other}) {
    std::vector<double> lengths;
    for (const FrameCells& frame : one->frames) lengths.push_back(frame.end - frame.begin);
    if (!lengths.empty()) longest = std::max(longest, median(std::move(lengths)));
  }
  return longest;
}

// How far off the ends may be: the frames around them leave some time untold, and so do the last ones. [second]
double ends_within(const SegmentWindows& around, double untold_time, double of_last_frames) {
  if (around.is_place_told && untold_time < most_shift) return std::max(of_last_frames, untold_time);
  // Two frames of a clip of two frames a second last longer than the greatest shift, and its coarse ends are as rough.
  return most_shift + 2 * longest_frame(around);
}

std::pair<MovingBlocks, MovingBlocks> blocks_at_ends(const SegmentEnd& in, const SegmentEnd& out,
                                                     const Correction& line) {
  return {in.moving_blocks(line.speed, line.in), out.moving_blocks(line.speed, line.out)};
}

// Whether the line may be followed: a camera that stands matches some seconds away, too. An even pan shows every time
// at a place of its own.
bool may_lie_beyond(const SegmentEnd& in, const SegmentEnd& out, const Correction& line) {
  if (!line.is_at_border(in.frame())) return false;
  const auto [of_in, of_out] = blocks_at_ends(in, out, line);
  return stands(of_in, of_out);
}

Finding finding_of(const SegmentEnd& in, const SegmentEnd& out, const Correction& line, const CopySegment& coarse,
                   const CopySegment& refined) {
  if (in.is_elsewhere() && out.is_elsewhere()) return Finding::another;
  if (coarse.score < sure_score && in.is_hardly_visible() && out.is_hardly_visible()) return Finding::another;
  const auto [of_in, of_out] = blocks_at_ends(in, out, line);
  const bool is_still_camera = stands(of_in, of_out);
  const Finding finding =
      finding_by_motion(in.motion(line.speed, line.in), out.motion(line.speed, line.out), is_still_camera);
  if (finding == Finding::another || !is_still_camera) return finding;
  // A few frames may move alike by chance.
  if (2 * (refined.query_out - refined.query_in) < coarse.query_out - coarse.query_in) return Finding::another;
  return finding == Finding::copy && !is_time_told(of_in, of_out) ? Finding::doubtful : finding;
}

// None if the frames contradict the segment.
std::optional<CopySegment> refined_ends(SegmentWindows& around) {
  const CopySegment& coarse = around.segment;
  SegmentEnd in = segment_end(around, around.in, true), out = segment_end(around, around.out, false);
  std::optional<SegmentEnd> change_in, change_out;
  if (around.change_in) change_in.emplace(segment_end(around, *around.change_in, true));
  if (around.change_out) change_out.emplace(segment_end(around, *around.change_out, false));
  // What tells the time at either end.
  const SegmentEnd &in_tells = change_in ? *change_in : in, &out_tells = change_out ? *change_out : out;
  CopySegment result = coarse;
  Correction better;
  int found = 0;
  double within = 0;  // [second]
  const auto set = [&](SegmentEnd& end, const SegmentEnd& tells, double shift, double& query, double& other) {
    const std::optional<SegmentEnd::Found> one = found_end(end, tells, better.speed, shift);
    if (!one) return;
    query = one->at.query;
    other = one->at.other;
    within = std::max(within, one->within);
    end.keep_inside(query);
    ++found;
  };
  // Each round gives a better speed to the next one, and the frames that are within the segment.
  for (int round = 0; round < most_rounds; ++round) {
    better = correction_of(in_tells, out_tells, result.speed, coarse.speed);
    found = 0;
    within = 0;
    set(in, in_tells, better.in, result.query_in, result.other_in);
    set(out, out_tells, better.out, result.query_out, result.other_out);
    const double length = result.query_out - result.query_in;
    result.speed = length > 0 ? (result.other_out - result.other_in) / length : 0;
    const double change = result.speed / coarse.speed;
    if (change > most_change || change < 1 / most_change) {
      result = in_doubt(coarse, result);
      result.speed =
          (coarse.other_out - coarse.other_in) / (coarse.query_out - coarse.query_in);  // settle() changed it
      found = 0;
      break;
    }
  }
  around.finding = finding_of(in, out, better, coarse, result);
  if (may_lie_beyond(in, out, better)) around.beyond = better;
  if (around.finding == Finding::another) return std::nullopt;
  if (found == 2) {
    result.ends_within = ends_within(around, untold(in_tells, out_tells, better, result), within);
  }
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

std::optional<CopySegment> refined_segment(SegmentWindows& around) {
  if (around.segment.shaken || around.grid.query.size() < least_places) return around.segment;
  if (!around.segment.still) settle(around);
  std::optional<CopySegment> result =
      around.segment.still ? refined_still(around.segment, around.grid, {around.in.query, around.out.query},
                                           {around.in.other, around.out.other})
                           : refined_ends(around);
  constexpr double rounding = 0.001;  // [second]
  if (result) result->exact_ends = result->ends_within <= 2 * longest_frame(around) + rounding;
  return result;
}

// Reads the frames of all windows. Segments that run backwards are turned back.
void read_windows(std::vector<SegmentWindows>& all, const std::filesystem::path& query,
                  const std::filesystem::path& other, const VideoOptions& video, const ProgressSink& progress) {
  std::vector<double> query_times, other_times;
  double fastest = 1;
  for (SegmentWindows& around : all) {
    for (const Windows* windows : around.all()) {
      query_times.push_back(windows->query.centre);
      other_times.push_back(windows->other.centre);
    }
    fastest = std::max(fastest, std::abs(around.segment.speed));
  }
  CellReader query_reader(query, video, query_times, end_reach);
  CellReader other_reader(other, video, other_times, end_reach * fastest + most_shift);
  std::vector<CellWindow*> of_query, of_other;
  for (SegmentWindows& around : all) {
    around.grid = cell_grid(around.segment, query_reader.size(), other_reader.size());
    for (Windows* windows : around.all()) {
      windows->query.cells = around.grid.query;
      windows->other.cells = around.grid.other;
      of_query.push_back(&windows->query);
      of_other.push_back(&windows->other);
    }
  }
  query_reader.fill(of_query, progress);
  for (SegmentWindows& around : all) {
    for (Windows* windows : around.all())
      windows->other.reach = partners_reach(windows->query, std::abs(around.segment.speed));
    if (around.segment.speed < 0) around.turn_back();
  }
  other_reader.fill(of_other, progress);
}

// Refines segments again from where their lines lie beyond the greatest shift. They replace what was found before.
void follow_lines(std::vector<SegmentWindows>& all, std::vector<CopySegment>& coarse,
                  std::vector<std::optional<CopySegment>>& refined, const std::filesystem::path& query,
                  const std::filesystem::path& other, const VideoOptions& video, const ProgressSink& progress) {
  for (int look = 0; look < most_looks_beyond; ++look) {
    std::vector<std::size_t> indices;
    std::vector<SegmentWindows> again;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!all[i].beyond) continue;
      coarse[i].other_in += all[i].beyond->in;
      coarse[i].other_out += all[i].beyond->out;
      indices.push_back(i);
      again.emplace_back(coarse[i]);
    }
    if (again.empty()) return;
    read_windows(again, query, other, video, progress);
    for (std::size_t k = 0; k < indices.size(); ++k) {
      refined[indices[k]] = refined_segment(again[k]);
      all[indices[k]] = std::move(again[k]);
    }
  }
}

// A segment at one of its moments.
MomentOfSegment moment_of(const SegmentWindows& around, std::size_t moment) {
  const auto& [at, windows] = around.moments[moment];
  const double speed = around.segment.speed;
  return {{windows.query.frames, windows.other.frames, around.grid.blocks, at, speed, true}, speed};
}

// Segments that may show two times of one place, their indices among all, and whether they show one where nothing
// moves.
struct DoubtfulSegments {
  std::vector<PlacedSegment> segments;
  std::vector<std::size_t> indices;
  std::vector<bool> are_likely;
};

void leave_out_other_times(std::vector<CopySegment>& all, const DoubtfulSegments& doubtful,
                           const std::filesystem::path& query, const std::filesystem::path& other,
                           const VideoOptions& video, const ProgressSink& progress) {
  const std::vector<Motion> motions = motions_of(doubtful.segments, query, other, video, progress);
  for (std::size_t k = motions.size(); k-- > 0;) {
    const bool is_copy = motions[k] == Motion::alike || (motions[k] == Motion::none && doubtful.are_likely[k]);
    if (!is_copy) all.erase(all.begin() + static_cast<std::ptrdiff_t>(doubtful.indices[k]));
  }
}

// A moment of a segment that a better one shows too.
struct Doubt {
  std::size_t segment, moment, better, moment_of_better;
};

// Adds the moments that segments share to the windows of both.
std::vector<Doubt> doubts_of(std::span<const CopySegment> segments, std::vector<SegmentWindows>& all) {
  std::vector<Doubt> doubts;
  for (const SharedMoment& one : shared_moments(segments)) {
    SegmentWindows &doubtful = all[one.segment], &better = all[one.better];
    doubts.push_back({one.segment, doubtful.moments.size(), one.better, better.moments.size()});
    doubtful.add_moment(one.of_segment);
    better.add_moment(one.of_better);
  }
  return doubts;
}

// The segments that the frames do not explain better by another one, refined; none if the frames contradict one.
std::vector<std::optional<CopySegment>> refined_segments(std::vector<SegmentWindows>& all,
                                                         std::span<const Doubt> doubts) {
  std::vector<bool> is_explained(all.size());
  for (const Doubt& one : doubts) {
    if (is_explained_better(moment_of(all[one.segment], one.moment), moment_of(all[one.better], one.moment_of_better)))
      is_explained[one.segment] = true;
  }
  std::vector<std::optional<CopySegment>> refined(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_explained[i]) refined[i] = refined_segment(all[i]);
  }
  return refined;
}

}  // namespace

std::vector<CopySegment> refine_ends(std::span<const CopySegment> found, const std::filesystem::path& query,
                                     const std::filesystem::path& other, const VideoOptions& video,
                                     const ProgressSink& progress) {
  if (found.empty()) return {};
  if (shows_image(found.front())) return refined_images(found, query, other, video, progress);
  const std::vector<MeasuredSegment> measured = at_measured_speeds(found, query, other, video, progress);
  std::vector<CopySegment> segments;
  for (const MeasuredSegment& one : measured) segments.push_back(one.segment);
  std::vector<SegmentWindows> all;
  for (const CopySegment& one : segments) all.emplace_back(one);
  const std::vector<Doubt> doubts = doubts_of(segments, all);
  read_windows(all, query, other, video, progress);
  std::vector<std::optional<CopySegment>> refined = refined_segments(all, doubts);
  follow_lines(all, segments, refined, query, other, video, progress);
  std::vector<CopySegment> result;
  DoubtfulSegments doubtful;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    std::optional<CopySegment>& better = refined[i];
    if (!better) continue;
    if (measured[i].otherwise) better = in_doubt(*better, *measured[i].otherwise);
    if (all[i].finding != Finding::copy) {
      doubtful.indices.push_back(result.size());
      doubtful.are_likely.push_back(all[i].finding == Finding::doubtful);
      doubtful.segments.push_back({*better, all[i].place, segments[i].speed < 0});
    }
    result.push_back(segments[i].speed < 0 ? turned_back(*better) : *better);
  }
  leave_out_other_times(result, doubtful, query, other, video, progress);
  std::erase_if(result, [&](const CopySegment& one) {
    return one.shaken && !shows_images_of(one, query, other, video, progress);
  });
  return result;
}

}  // namespace octavo
