// Each frame becomes some hundred mean values, of cells that lie on the same parts of both images (frame_cells.h). What
// stays the same for the whole time tells no time: so the mean of each cell is taken away, and what remains of both
// shots is correlated at all delays. The delay is told if the correlation is high there and lower everywhere else.

#include "video/takes/shot_copies.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "video/signature/cell_reader.h"
#include "video/signature/frame_cells.h"
#include "video/signature/segment_end.h"

namespace octavo {

namespace {

constexpr double reach = 10;           // [second] on either side of the frames that are alike
constexpr double step = 0.01;          // [second] of delays
constexpr double least_overlap = 1.5;  // [second] of both shots
constexpr double near_peak = 0.2;      // [second] delays that are no farther are not compared with the best one
// Chosen on the first set of uploads: docs/takes.md, Small, coarse copies.
constexpr double least_correlation = 0.6, least_lead = 0.1;

using Frames = std::vector<FrameCells>;

// The frames of two shots around those that are alike.
struct ComparedShots {
  std::size_t index;  // of the shots that are asked for
  CellGrid grid;
  CellWindow take, reference;
};

// None where the frames have too little in common.
std::optional<ComparedShots> compared_shots(const AlikeShots& shots, std::size_t index, const std::string& isa) {
  const ShotFrames &take = *shots.take, &reference = *shots.reference;
  if (take.clip->file.empty() || reference.clip->file.empty()) return std::nullopt;
  const FrameSignature& of_take = take.clip->frames.signatures[take.first + shots.pair.a];
  const FrameSignature& of_reference = reference.clip->frames.signatures[reference.first + shots.pair.b];
  const FrameMatch match = match_frames(of_take, of_reference, isa);
  if (match.significance <= 0) return std::nullopt;
  const auto size_of = [](const FrameSignature& frame) { return FrameSize{1.0 * frame.width, 1.0 * frame.height}; };
  CellGrid grid = cell_grid({.other_from_query = match.b_from_a}, size_of(of_take), size_of(of_reference));
  if (grid.query.size() < least_places) return std::nullopt;
  return ComparedShots{
      index, std::move(grid), {take.seconds(shots.pair.a), reach, {}}, {reference.seconds(shots.pair.b), reach, {}}};
}

// Reads each file once.
void read_frames(std::span<ComparedShots> compared, std::span<const AlikeShots> shots) {
  std::map<const TakeClip*, std::vector<CellWindow*>> of_clip;
  for (ComparedShots& one : compared) {
    one.take.cells = one.grid.query;
    one.reference.cells = one.grid.other;
    of_clip[shots[one.index].take->clip].push_back(&one.take);
    of_clip[shots[one.index].reference->clip].push_back(&one.reference);
  }
  for (const auto& [clip, windows] : of_clip) {
    std::vector<double> centres;
    for (const CellWindow* window : windows) centres.push_back(window->centre);
    CellReader(clip->file, clip->video, centres, reach).fill(windows);
  }
}

Frames frames_within(const Shot& shot, std::vector<FrameCells>& all) {
  Frames frames;
  for (FrameCells& frame : all) {
    if (frame.begin >= shot.in - step && frame.end <= shot.out + step) frames.push_back(std::move(frame));
  }
  return frames;
}

// The pairs of frames that are shown at the same time if the second clip is later by `delay`.
std::vector<FramePair> frame_pairs_at(const Frames& a, const Frames& b, double delay) {
  std::vector<FramePair> pairs;
  std::size_t j = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double seconds = (a[i].begin + a[i].end) / 2 + delay;
    while (j < b.size() && b[j].end <= seconds) ++j;
    if (j == b.size()) break;
    if (b[j].begin <= seconds) pairs.push_back({i, j});
  }
  return pairs;
}

// Of the values less the mean of each cell over these frames.
double correlation_of(const Frames& a, const Frames& b, const std::vector<FramePair>& pairs) {
  const std::size_t cells = a.front().values.size();
  const auto count = static_cast<double>(pairs.size());
  double ab = 0, aa = 0, bb = 0;
  std::vector<double> mean_a(cells), mean_b(cells);
  for (const FramePair& pair : pairs) {
    for (std::size_t c = 0; c < cells; ++c) {
      const double of_a = a[pair.a].values[c], of_b = b[pair.b].values[c];
      mean_a[c] += of_a / count;
      mean_b[c] += of_b / count;
      ab += of_a * of_b;
      aa += of_a * of_a;
      bb += of_b * of_b;
    }
  }
  for (std::size_t c = 0; c < cells; ++c) {
    ab -= count * mean_a[c] * mean_b[c];
    aa -= count * mean_a[c] * mean_a[c];
    bb -= count * mean_b[c] * mean_b[c];
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

struct Delay {
  double seconds = 0, correlation = 0;
};

std::vector<Delay> all_delays(const Frames& a, const Frames& b) {
  std::vector<Delay> delays;
  const double length = a.back().end - a.front().begin;
  const double low = b.front().begin - a.back().end, high = b.back().end - a.front().begin;
  std::vector<FramePair> before;  // of the last delay
  for (double delay = low; delay < high; delay += step) {
    std::vector<FramePair> pairs = frame_pairs_at(a, b, delay);
    const double overlap = length * static_cast<double>(pairs.size()) / static_cast<double>(a.size());
    if (overlap < least_overlap) continue;
    delays.push_back({delay, pairs == before ? delays.back().correlation : correlation_of(a, b, pairs)});
    before = std::move(pairs);
  }
  return delays;
}

// The delay that stands out; between two frames nothing changes, so it is the middle of those with one correlation.
std::optional<double> distinct_delay(const std::vector<Delay>& delays) {
  if (delays.empty()) return std::nullopt;
  const auto best = std::ranges::max_element(delays, {}, &Delay::correlation);
  auto last = best;
  while (last + 1 != delays.end() && (last + 1)->correlation >= best->correlation - 1e-9) ++last;
  const double seconds = (best->seconds + last->seconds) / 2;
  double rival = 0;
  for (const Delay& one : delays) {
    if (std::abs(one.seconds - seconds) > near_peak) rival = std::max(rival, one.correlation);
  }
  const bool is_told = best->correlation >= least_correlation && best->correlation - rival >= least_lead;
  return is_told ? std::optional(seconds) : std::nullopt;
}

}  // namespace

std::vector<std::optional<double>> exact_delays(std::span<const AlikeShots> shots, const std::string& isa) {
  constexpr std::size_t at_a_time = 32;  // shots: their frames are in memory
  std::vector<std::optional<double>> delays(shots.size());
  for (std::size_t begin = 0; begin < shots.size(); begin += at_a_time) {
    std::vector<ComparedShots> compared;
    for (std::size_t i = begin; i < std::min(begin + at_a_time, shots.size()); ++i) {
      if (auto one = compared_shots(shots[i], i, isa)) compared.push_back(std::move(*one));
    }
    read_frames(compared, shots);
    tbb::parallel_for(std::size_t{0}, compared.size(), [&](std::size_t k) {
      ComparedShots& one = compared[k];
      const Frames a = frames_within(shots[one.index].take->shot, one.take.frames);
      const Frames b = frames_within(shots[one.index].reference->shot, one.reference.frames);
      if (!a.empty() && !b.empty()) delays[one.index] = distinct_delay(all_delays(a, b));
    });
  }
  return delays;
}

}  // namespace octavo
