// The ends of segments to the frame. Both clips are decoded around the ends with all frames, each of which becomes some
// hundred mean values (frame_cells.h). Parts that something else hides, such as a picture in the picture, are left out:
// nothing correlates there, and a segment without other parts is false. First the shift in time is found with which the
// frames within the segment correlate best, then the frame from which on they do. A segment is false if both clips show
// the same place, but what moves there does not move alike: then they show it at different times.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "octavo/copy_segment.h"
#include "signature/frame_cells.h"

namespace octavo {
namespace {

constexpr double reach = 1;               // [second] around an end
constexpr double most_shift = 0.7;        // [second] by which the coarse line may be wrong
constexpr std::size_t least_places = 40;  // a smaller overlap says nothing
constexpr double most_change = 1.2;       // of the speed; more is a mistake
constexpr double least_gap = 0.03;        // of correlations of the same and of other frames
constexpr double least_visible = 0.7;     // correlation within a block that shows the same in both clips
constexpr double texture = 4;             // [grey value²] variance within a block that can be compared
constexpr double moving = 2;              // [grey value²] variance in time of what moves
constexpr std::size_t least_moving = 2;   // blocks
constexpr double least_alike = 0.6;       // correlation in time of what moves in both clips
constexpr double next_to_none = 0.1;      // of the blocks with texture, which are visible: another place
constexpr std::ptrdiff_t many_blocks = 8;
constexpr double doubtful = 0.5;  // [second] from a coarse end inwards, whose frames may lie outside
constexpr double near_one = 0.1;  // a speed so near 1 may be 1

// Frames of both clips that may show the same.
using FramePairs = std::vector<std::pair<const FrameCells*, const FrameCells*>>;

// Sums of products of two series of values without their means, and their correlation.
struct Products {
  double aa = 0, ab = 0, bb = 0;
  std::size_t count = 0;

  void add(double a, double b) {
    aa += a * a;
    ab += a * b;
    bb += b * b;
    ++count;
  }
  void add(const Products& other) {
    aa += other.aa;
    ab += other.ab;
    bb += other.bb;
    count += other.count;
  }
  // Whether both vary enough to be compared.
  [[nodiscard]] bool vary(double variance) const {
    const double least = variance * static_cast<double>(count);
    return count > 0 && aa >= least && bb >= least;
  }
  [[nodiscard]] double correlation() const { return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0; }
};

using BlockProducts = std::array<Products, CellGrid::block_count>;

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The correlations of the pictures within each block, one for each pair of frames that both have texture there.
std::array<std::vector<double>, CellGrid::block_count> correlations_in_space(const FramePairs& pairs,
                                                                             const std::vector<std::size_t>& blocks) {
  std::array<std::vector<double>, CellGrid::block_count> correlations;
  for (const auto& [a, b] : pairs) {
    struct Mean {
      double a = 0, b = 0, count = 0;
    };
    std::array<Mean, CellGrid::block_count> means{};
    for (std::size_t p = 0; p < blocks.size(); ++p) {
      Mean& mean = means[blocks[p]];
      mean.a += a->values[p];
      mean.b += b->values[p];
      ++mean.count;
    }
    BlockProducts products{};
    for (std::size_t p = 0; p < blocks.size(); ++p) {
      const Mean& mean = means[blocks[p]];
      products[blocks[p]].add(a->values[p] - mean.a / mean.count, b->values[p] - mean.b / mean.count);
    }
    for (std::size_t k = 0; k < products.size(); ++k) {
      if (products[k].vary(texture)) correlations[k].push_back(products[k].correlation());
    }
  }
  return correlations;
}

// Of the changes in time within each block, at the places that count.
BlockProducts products_in_time(const FramePairs& pairs, const std::vector<std::size_t>& blocks,
                               const std::vector<std::size_t>& places) {
  BlockProducts products{};
  const auto count = static_cast<double>(pairs.size());
  for (const std::size_t p : places) {
    double mean_a = 0, mean_b = 0;
    for (const auto& [a, b] : pairs) {
      mean_a += a->values[p] / count;
      mean_b += b->values[p] / count;
    }
    for (const auto& [a, b] : pairs) products[blocks[p]].add(a->values[p] - mean_a, b->values[p] - mean_b);
  }
  return products;
}

// Places that change tell more of the time than those that stay: their weight is the deviation over the frames.
std::vector<double> weights_of(const std::vector<FrameCells>& query, const std::vector<FrameCells>& other,
                               const std::vector<std::size_t>& places) {
  std::vector<double> weights(places.size(), 0);
  double total = 0;
  for (const std::vector<FrameCells>* frames : {&query, &other}) {
    for (std::size_t k = 0; k < places.size(); ++k) {
      double sum = 0, squares = 0;
      for (const FrameCells& frame : *frames) {
        const double value = frame.values[places[k]];
        sum += value;
        squares += value * value;
      }
      const auto n = static_cast<double>(frames->size());
      const double deviation = std::sqrt(std::max(squares / n - (sum / n) * (sum / n), 0.0));
      weights[k] += deviation;
      total += deviation;
    }
  }
  const double least = 0.1 * total / static_cast<double>(places.size()) + 1e-6;
  for (double& weight : weights) weight += least;
  return weights;
}

double correlation(const std::vector<float>& a, const std::vector<float>& b, const std::vector<std::size_t>& places,
                   const std::vector<double>& weights) {
  double sum = 0, mean_a = 0, mean_b = 0;
  for (std::size_t k = 0; k < places.size(); ++k) {
    sum += weights[k];
    mean_a += weights[k] * a[places[k]];
    mean_b += weights[k] * b[places[k]];
  }
  mean_a /= sum;
  mean_b /= sum;
  double aa = 0, ab = 0, bb = 0;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const double x = a[places[k]] - mean_a, y = b[places[k]] - mean_b;
    aa += weights[k] * x * x;
    ab += weights[k] * x * y;
    bb += weights[k] * y * y;
  }
  // Frames of one grey have no correlation; both being so, they are the same.
  const double flat = sum * 0.5;
  if (aa < flat || bb < flat) return aa < flat && bb < flat ? 1 : 0;
  return ab / std::sqrt(aa * bb);
}

// What moves in both clips: nothing, or too little is visible; the same; not the same; or the other clip moves, but
// where the query hides it.
enum class Motion { none, alike, different, hidden };

// One end of a segment: where the line passes it by the coarse search, and the frames around it.
class End {
 public:
  struct Times {
    double query = 0, other = 0;
  };

  End(const std::vector<FrameCells>& query, const std::vector<FrameCells>& other,
      const std::vector<std::size_t>& blocks, const Times& coarse, double speed, bool is_in)
      : query_(query), other_(other), blocks_(blocks), coarse_(coarse), is_in_(is_in) {
    if (query.empty() || other.empty()) return;
    keep_surely_inside(speed);
    find_visible_places(speed);
    const std::vector<double> weights = weights_of(query, other, places_);
    for (const FrameCells& a : query) {
      std::vector<double>& row = correlations_.emplace_back();
      for (const FrameCells& b : other) row.push_back(correlation(a.values, b.values, places_, weights));
    }
  }

  // The frames from `end` on, or up to it, are those of the segment. [second] of the query
  void keep_inside(double end) {
    constexpr double rounding = 0.001;
    inside_.clear();
    for (std::size_t i = 0; i < query_.size(); ++i) {
      if (is_in_ ? query_[i].begin >= end - rounding : query_[i].end <= end + rounding) inside_.push_back(i);
    }
  }

  // The frames that lie within the segment even if its coarse end is wrong by half a second; all within it where these
  // are few, and at other speeds than 1: these are known to some percent, and only frames near the end tell the line
  // there.
  void keep_surely_inside(double speed) {
    constexpr std::size_t least = 4;
    keep_inside(is_in_ ? coarse_.query + doubtful : coarse_.query - doubtful);
    if (inside_.size() < least || std::abs(speed - 1) >= near_one) keep_inside(coarse_.query);
  }

  // Whether next to nothing is the same, at no shift.
  [[nodiscard]] bool is_elsewhere() const {
    return textured_ >= many_blocks && static_cast<double>(visible_) < next_to_none * static_cast<double>(textured_);
  }

  // What the motion of both clips says of the line that is corrected by `shift`. Captions may move in one clip alone,
  // so the clip decides whose motion the other one has. If only the query moves where both are visible, a caption over
  // a still picture does, or the time is wrong: it is wrong if the other clip moves elsewhere.
  [[nodiscard]] Motion motion(double speed, double shift) const {
    if (visible_ < many_blocks) return Motion::none;
    const FramePairs pairs = pairs_inside(speed, shift);
    Products where_query_moves, where_other_moves;
    std::size_t query_moves = 0, other_moves = 0;
    for (const Products& block : products_in_time(pairs, blocks_, places_)) {
      const double least = moving * static_cast<double>(block.count);
      if (block.count > 0 && block.aa >= least) {
        where_query_moves.add(block);
        ++query_moves;
      }
      if (block.count > 0 && block.bb >= least) {
        where_other_moves.add(block);
        ++other_moves;
      }
    }
    if (std::max(query_moves, other_moves) < least_moving) {
      return moves_elsewhere(pairs) ? Motion::hidden : Motion::none;
    }
    if (query_moves >= least_moving && where_query_moves.correlation() >= least_alike) return Motion::alike;
    if (other_moves >= least_moving && where_other_moves.correlation() >= least_alike) return Motion::alike;
    return other_moves >= least_moving || moves_elsewhere(pairs) ? Motion::different : Motion::none;
  }

  // By how much a line of this speed through the coarse end passes later in the other clip. [second]
  [[nodiscard]] double lag(double speed) const { return coarse_.other - speed * coarse_.query; }

  // The mean correlation of the frames within the segment, which the line of this speed meets `shift` seconds later
  // than the coarse one. A frame without a partner counts as one that differs: otherwise shifts beyond the end of the
  // clip would leave out the frames that do not fit.
  [[nodiscard]] double mean_correlation(double speed, double shift) const {
    double sum = 0;
    for (const std::size_t i : inside_) {
      const std::optional<std::size_t> j = partner(i, speed, shift);
      if (j) sum += correlations_[i][*j];
    }
    return inside_.empty() ? 0 : sum / static_cast<double>(inside_.size());
  }

  // None if the frames do not tell.
  [[nodiscard]] std::optional<Times> find(double speed, double shift) const {
    if (inside_.size() < 2) return std::nullopt;
    std::vector<double> same, different;
    for (const std::size_t i : inside_) {
      const std::optional<std::size_t> j = partner(i, speed, shift);
      if (!j) continue;
      same.push_back(correlations_[i][*j]);
      for (std::size_t k = 0; k < other_.size(); ++k) {
        if (is_another(k, *j)) different.push_back(correlations_[i][k]);
      }
    }
    if (same.size() < 2) return std::nullopt;
    // Frames of the segment differ by the noise of their coding. A frame is another one if it differs by far more, but
    // the frames half a second away are others too.
    const double level = median(same);
    std::vector<double> deviations;
    for (const double one : same) deviations.push_back(std::abs(one - level));
    const double noise = std::max(6 * median(deviations), least_gap);
    const double gap = different.empty() ? 0.5 : level - median(different);
    // Where nothing changes in half a second, only frames of other scenes are told.
    const double limit = level - (gap < least_gap ? noise : std::min(0.4 * gap, noise));

    // From the middle of the inside outwards, as long as the frames are the same; two bad frames do not end it.
    const auto step = is_in_ ? -1 : 1;
    auto i = static_cast<std::ptrdiff_t>(inside_[inside_.size() / 2]);
    std::ptrdiff_t last = -1;
    for (int misses = 0; i >= 0 && i < std::ssize(query_) && misses < 3; i += step) {
      const std::optional<std::size_t> j = partner(static_cast<std::size_t>(i), speed, shift);
      if (!j) break;
      if (correlations_[static_cast<std::size_t>(i)][*j] >= limit || stands_out(static_cast<std::size_t>(i), *j, gap)) {
        last = i;
        misses = 0;
      } else {
        ++misses;
      }
    }
    if (last < 0) return std::nullopt;
    const auto at = static_cast<std::size_t>(last);
    const std::size_t j = *partner(at, speed, shift);
    return is_in_ ? Times{query_[at].begin, other_[j].begin} : Times{query_[at].end, other_[j].end};
  }

 private:
  // Whether two frames of the other clip lie so far apart that a moving picture has changed.
  [[nodiscard]] bool is_another(std::size_t j, std::size_t k) const {
    return std::abs(other_[j].begin - other_[k].begin) > 0.5;
  }

  // Whether frame i of the query is more like frame j than like frames half a second away, by half of what this is
  // within the segment (`gap`). So the frames of a shot with more noise than the others belong to the segment.
  [[nodiscard]] bool stands_out(std::size_t i, std::size_t j, double gap) const {
    constexpr double least = 0.8, least_lead = 0.01, most_lead = 0.1;
    if (correlations_[i][j] < least) return false;
    const double lead = std::clamp(gap / 2, least_lead, most_lead);
    std::vector<double> others;
    for (std::size_t k = 0; k < other_.size(); ++k) {
      if (is_another(k, j)) others.push_back(correlations_[i][k]);
    }
    return !others.empty() && correlations_[i][j] >= median(others) + lead;
  }

  // Whether the other clip moves where the query hides it.
  [[nodiscard]] bool moves_elsewhere(const FramePairs& pairs) const {
    std::vector<std::size_t> hidden;
    for (std::size_t p = 0; p < blocks_.size(); ++p) {
      if (!is_visible_[blocks_[p]]) hidden.push_back(p);
    }
    const BlockProducts products = products_in_time(pairs, blocks_, hidden);
    const auto moves = std::ranges::count_if(products, [](const Products& block) {
      return block.count > 0 && block.bb >= moving * static_cast<double>(block.count);
    });
    return static_cast<std::size_t>(moves) >= least_moving;
  }

  [[nodiscard]] FramePairs pairs_inside(double speed, double shift) const {
    FramePairs pairs;
    for (const std::size_t i : inside_) {
      const std::optional<std::size_t> j = partner(i, speed, shift);
      if (j) pairs.emplace_back(&query_[i], &other_[*j]);
    }
    return pairs;
  }

  // The cells of blocks that correlate count; all if there are too few. Of blocks that something hides some correlate
  // by chance, but less, and not all at one shift: the one at which the blocks correlate best tells which are visible.
  void find_visible_places(double speed) {
    constexpr int tenths = 7;  // of a second, to most_shift
    using Blocks = std::array<bool, CellGrid::block_count>;
    std::array<Blocks, 2 * tenths + 1> visible_at{};
    Blocks has_texture{};
    double most = -1;
    int best = 0;
    for (const int k : {0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5, -6, 6, -7, 7}) {
      const FramePairs pairs = pairs_inside(speed, 0.1 * k);
      const auto correlations = correlations_in_space(pairs, blocks_);
      double sum = 0;
      Blocks& visible = visible_at[static_cast<std::size_t>(k + tenths)];
      for (std::size_t block = 0; block < correlations.size(); ++block) {
        if (correlations[block].empty() || 2 * correlations[block].size() < pairs.size()) continue;
        has_texture[block] = true;
        // What moves may hide the place for less than half of the time.
        const double above = median(correlations[block]) - least_visible;
        visible[block] = above >= 0;
        sum += std::max(above, 0.0);
      }
      if (sum <= most) continue;
      most = sum;
      best = k;
    }
    for (int k = std::max(best - 1, -tenths); k <= std::min(best + 1, tenths); ++k) {
      const Blocks& visible = visible_at[static_cast<std::size_t>(k + tenths)];
      for (std::size_t block = 0; block < visible.size(); ++block)
        is_visible_[block] = is_visible_[block] || visible[block];
    }
    std::vector<std::size_t> all;
    for (std::size_t p = 0; p < blocks_.size(); ++p) {
      all.push_back(p);
      if (is_visible_[blocks_[p]]) places_.push_back(p);
    }
    visible_ = std::count(is_visible_.begin(), is_visible_.end(), true);
    textured_ = std::count(has_texture.begin(), has_texture.end(), true);
    if (places_.size() < least_places) places_ = std::move(all);
  }

  // The frame of the other clip that is shown in the middle of this frame of the query.
  [[nodiscard]] std::optional<std::size_t> partner(std::size_t i, double speed, double shift) const {
    const double middle = (query_[i].begin + query_[i].end) / 2;
    const double time = coarse_.other + shift + speed * (middle - coarse_.query);
    const auto after = std::upper_bound(other_.begin(), other_.end(), time,
                                        [](double t, const FrameCells& frame) { return t < frame.begin; });
    if (after == other_.begin() || time >= (after - 1)->end) return std::nullopt;
    return static_cast<std::size_t>(after - other_.begin() - 1);
  }

  const std::vector<FrameCells>& query_;
  const std::vector<FrameCells>& other_;
  const std::vector<std::size_t>& blocks_;
  Times coarse_;
  bool is_in_;
  std::vector<std::size_t> places_;  // the cells that count
  std::ptrdiff_t textured_ = 0;      // the number of blocks with texture
  std::ptrdiff_t visible_ = 0;       // the number of those that show the same in both clips
  std::array<bool, CellGrid::block_count> is_visible_{};
  std::vector<std::vector<double>> correlations_;
  std::vector<std::size_t> inside_;
};

struct Shift {
  double seconds = 0, correlation = 0;
};

// The shift from `low` to `high` with the greatest correlation; of several the middle one, since between two frames
// nothing changes.
template <class Correlation>
Shift best_shift(double low, double high, const Correlation& correlation) {
  constexpr double step = 0.002;  // [second]
  constexpr double equal = 1e-9;
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
Correction correction_of(const End& in, const End& out, double speed, double coarse_speed) {
  const Shift of_in =
      best_shift(-most_shift, most_shift, [&](double shift) { return in.mean_correlation(speed, shift); });
  const Shift of_out =
      best_shift(-most_shift, most_shift, [&](double shift) { return out.mean_correlation(speed, shift); });
  const double most = of_in.correlation + of_out.correlation;
  // The less of the pictures the best shifts explain, the less they say.
  const double unexplained = 0.1 * std::max(2 - most, 0.0);
  struct Line {
    double speed, nearly;
  };
  std::vector<Line> lines;
  constexpr double nearly = 0.01;
  if (std::abs(speed - 1) < near_one || std::abs(coarse_speed - 1) < near_one)
    lines.push_back({1, nearly + unexplained});
  lines.push_back({coarse_speed, unexplained});
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

// None if the frames contradict the segment.
std::optional<CopySegment> refined(const Windows& windows) {
  const CopySegment& coarse = windows.segment;
  End in(windows.query_in.frames, windows.other_in.frames, windows.grid.blocks, {coarse.query_in, coarse.other_in},
         coarse.speed, true);
  End out(windows.query_out.frames, windows.other_out.frames, windows.grid.blocks, {coarse.query_out, coarse.other_out},
          coarse.speed, false);
  CopySegment result = coarse;
  Correction better;
  // The first round gives a better speed to the second, and the frames that are within the segment.
  for (int round = 0; round < 2; ++round) {
    better = correction_of(in, out, result.speed, coarse.speed);
    if (const std::optional<End::Times> times = in.find(better.speed, better.in)) {
      result.query_in = times->query;
      result.other_in = times->other;
      in.keep_inside(result.query_in);
    }
    if (const std::optional<End::Times> times = out.find(better.speed, better.out)) {
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
  const Motion of_in = in.motion(better.speed, better.in), of_out = out.motion(better.speed, better.out);
  const bool is_alike = of_in == Motion::alike || of_out == Motion::alike;
  if (!is_alike && (of_in == Motion::different || of_out == Motion::different)) return std::nullopt;
  // The place is right, but the time could be any.
  if (of_in == Motion::hidden && of_out == Motion::hidden) return std::nullopt;
  // Less than two frames of 25 a second at an end: the same speed.
  if (std::abs(result.speed - 1) * (result.query_out - result.query_in) < 0.08) result.speed = 1;
  return result;
}

// How far from its centre the window of the other clip must reach, so that each frame of the query's window has a
// partner at every shift. A query with few frames a second has frames farther away than `reach`. [second]
double partners_reach(const CellWindow& query, double speed) {
  double farthest = reach;
  for (const FrameCells& frame : query.frames)
    farthest = std::max({farthest, query.centre - frame.begin, frame.end - query.centre});
  return farthest * std::max(1.0, speed) + most_shift;
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
    fastest = std::max(fastest, one.speed);
  }
  CellReader query_reader(query, video, query_ends, reach);
  CellReader other_reader(other, video, other_ends, reach * fastest + most_shift);
  std::vector<CellGrid> grids;
  for (const CopySegment& one : segments) grids.push_back(cell_grid(one, query_reader.size(), other_reader.size()));
  std::vector<CellWindow> of_query, of_other;  // two for each segment
  for (std::size_t i = 0; i < segments.size(); ++i) {
    for (const double end : {segments[i].query_in, segments[i].query_out})
      of_query.push_back({end, reach, grids[i].query});
  }
  query_reader.fill(of_query);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const CopySegment& one = segments[i];
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
    const std::optional<CopySegment> better =
        refined({segments[i], grids[i], of_query[2 * i], of_query[2 * i + 1], of_other[2 * i], of_other[2 * i + 1]});
    if (better) result.push_back(*better);
  }
  return result;
}

}  // namespace octavo
