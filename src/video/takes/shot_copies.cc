// Each frame becomes some hundred mean values, of cells that lie on the same parts of both images (frame_cells.h). What
// stays the same for the whole time tells no time: so the mean of each cell is taken away, and what remains of both
// shots is correlated at all delays. The delay is told if the correlation is high there and lower everywhere else.

#include "video/takes/shot_copies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

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

Frames cells_of(const ShotFrames& shot, double centre, const std::vector<Cell>& cells, CellReader& reader) {
  CellWindow window{centre, reach, cells};
  reader.fill(std::array{&window});
  Frames frames;
  for (FrameCells& frame : window.frames) {
    if (frame.begin >= shot.shot.in - step && frame.end <= shot.shot.out + step) frames.push_back(std::move(frame));
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
  for (double delay = low; delay < high; delay += step) {
    const std::vector<FramePair> pairs = frame_pairs_at(a, b, delay);
    const double overlap = length * static_cast<double>(pairs.size()) / static_cast<double>(a.size());
    if (overlap >= least_overlap) delays.push_back({delay, correlation_of(a, b, pairs)});
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

std::optional<double> exact_delay(const ShotFrames& take, const ShotFrames& reference, const FramePair& pair,
                                  const std::string& isa) {
  if (take.clip->file.empty() || reference.clip->file.empty()) return std::nullopt;
  const FrameMatch match = match_frames(take.clip->frames.signatures[take.first + pair.a],
                                        reference.clip->frames.signatures[reference.first + pair.b], isa);
  if (match.significance <= 0) return std::nullopt;
  const std::array<double, 1> here{take.seconds(pair.a)}, there{reference.seconds(pair.b)};
  CellReader of_take(take.clip->file, take.clip->video, here, reach);
  CellReader of_reference(reference.clip->file, reference.clip->video, there, reach);
  const CellGrid grid = cell_grid({.other_from_query = match.b_from_a}, of_take.size(), of_reference.size());
  if (grid.query.size() < least_places) return std::nullopt;
  const Frames a = cells_of(take, here[0], grid.query, of_take);
  const Frames b = cells_of(reference, there[0], grid.other, of_reference);
  if (a.empty() || b.empty()) return std::nullopt;
  return distinct_delay(all_delays(a, b));
}

}  // namespace octavo
