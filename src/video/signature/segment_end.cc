// Parts that something else hides, such as a picture in the picture, are left out: nothing correlates there. The frames
// within the segment correlate; the end is where they cease to.

#include "video/signature/segment_end.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "video/signature/faded_frames.h"

namespace octavo {
namespace {

// Developed on 16 copies of the grid (docs/video-search.md, Ends and What was measured); the three numbers of what
// stands on vtest.avi, frozen at 4 s.
constexpr double least_gap = 0.03;          // of correlations of the same and of other frames
constexpr double far_above = 4;             // times the noise
constexpr double another_scene = 0.2;       // less than the frames within the segment correlate
constexpr double least_visible = 0.7;       // correlation within a block that shows the same in both clips
constexpr double moving = 2;                // [grey value²] variance in time of what moves
constexpr std::size_t least_moving = 2;     // blocks
constexpr double least_alike_motion = 0.6;  // correlation in time of what moves in both clips
constexpr double next_to_none = 0.1;        // of the blocks with texture; if fewer are visible, it is another place
constexpr std::ptrdiff_t many_blocks = 8;   // of 35: fewer decide nothing
constexpr double telling = 1;          // [second] from a coarse end inwards: the speed is known to some percent only
constexpr double doubtful = 0.5;       // [second] from a coarse end inwards, whose frames may lie outside
constexpr double frozen_change = 1;    // [grey value] of a frame that is shown on; its coding changes less
constexpr double soon = 0.35;          // [second] A slow scene shows what a freeze does for less.
constexpr double most_late = 0.5;      // [second] A freeze shows so late: what is coded coarsely settles.
constexpr int ending_misses = 3;       // frames: two bad ones do not end a segment
constexpr double same_image = 0.0003;  // that a correlation leaves unexplained; less is coding alone

std::optional<std::size_t> frame_shown(const std::vector<FrameCells>& frames, double time) {
  const auto after = std::upper_bound(frames.begin(), frames.end(), time,
                                      [](double t, const FrameCells& frame) { return t < frame.begin; });
  if (after == frames.begin() || time >= (after - 1)->end) return std::nullopt;
  return static_cast<std::size_t>(after - frames.begin() - 1);
}

}  // namespace

SegmentEnd::SegmentEnd(const std::vector<FrameCells>& query, const std::vector<FrameCells>& other,
                       const std::vector<std::size_t>& blocks, const Times& coarse, double speed, bool is_in)
    : query_(query), other_(other), blocks_(blocks), coarse_(coarse), is_in_(is_in) {
  if (query.empty() || other.empty()) return;
  keep_surely_inside(speed);
  find_visible_places(speed);
  weights_ = weights_of(query, other, places_);
  for (const FrameCells& a : query) {
    std::vector<double>& row = correlations_.emplace_back();
    for (const FrameCells& b : other) row.push_back(correlation(a.values, b.values, places_, weights_));
  }
}

void SegmentEnd::keep_inside(double end) {
  constexpr double rounding = 0.001;  // [second]
  constexpr std::size_t enough = 5;   // frames, where few are shown a second
  inside_.clear();
  for (std::size_t i = 0; i < query_.size(); ++i) {
    if (is_in_ ? query_[i].begin >= end - rounding : query_[i].end <= end + rounding) inside_.push_back(i);
  }
  std::vector<std::size_t> near;
  std::ranges::copy_if(inside_, std::back_inserter(near), [&](std::size_t i) {
    return is_in_ ? query_[i].begin <= coarse_.query + telling : query_[i].end >= coarse_.query - telling;
  });
  telling_ = near.size() >= enough ? std::move(near) : inside_;
}

void SegmentEnd::keep_surely_inside(double speed) {
  constexpr std::size_t least = 4;  // frames
  keep_inside(is_in_ ? coarse_.query + doubtful : coarse_.query - doubtful);
  if (inside_.size() < least || std::abs(speed - 1) >= near_one) keep_inside(coarse_.query);
}

bool SegmentEnd::is_elsewhere() const {
  return textured_ >= many_blocks && static_cast<double>(visible_) < next_to_none * static_cast<double>(textured_);
}

bool SegmentEnd::is_hardly_visible() const { return visible_ < many_blocks && 2 * visible_ < textured_; }

void MovingBlocks::OfClip::add(const Products& block) {
  together.add(block);
  correlations += block.correlation();
  ++count;
}

void MovingBlocks::add(const MovingBlocks& more) {
  for (const auto of_clip : {&MovingBlocks::where_query_moves, &MovingBlocks::where_other_moves}) {
    (this->*of_clip).together.add((more.*of_clip).together);
    (this->*of_clip).correlations += (more.*of_clip).correlations;
    (this->*of_clip).count += (more.*of_clip).count;
  }
}

MovingBlocks SegmentEnd::moving_blocks(double speed, double shift) const {
  MovingBlocks result;
  const FadedFrames frames(pairs_inside(speed, shift), places_);
  for (const Products& block : products_in_time(frames.pairs(), blocks_, places_)) {
    const double least = moving * static_cast<double>(block.count);
    if (block.count > 0 && block.aa >= least) result.where_query_moves.add(block);
    if (block.count > 0 && block.bb >= least) result.where_other_moves.add(block);
  }
  return result;
}

Motion SegmentEnd::motion(double speed, double shift) const {
  if (visible_ < many_blocks) return Motion::none;
  const auto [of_query, of_other] = moving_blocks(speed, shift);
  if (std::max(of_query.count, of_other.count) < least_moving) {
    return moves_elsewhere(speed, shift) ? Motion::hidden : Motion::none;
  }
  for (const MovingBlocks::OfClip* one : {&of_query, &of_other}) {
    if (one->count >= least_moving && one->together.correlation() >= least_alike_motion) return Motion::alike;
  }
  return of_other.count >= least_moving || moves_elsewhere(speed, shift) ? Motion::different : Motion::none;
}

double SegmentEnd::mean_correlation(double speed, double shift) const {
  double sum = 0;
  for (const std::size_t i : telling_) {
    const std::optional<std::size_t> j = partner(i, speed, shift);
    if (j) sum += correlations_[i][*j];
  }
  return telling_.empty() ? 0 : sum / static_cast<double>(telling_.size());
}

double SegmentEnd::agreement(double speed, double shift) const {
  double sum = 0;
  for (const std::size_t i : telling_) {
    const std::optional<std::size_t> j = partner(i, speed, shift);
    if (j) sum -= std::log10(std::max(1 - correlations_[i][*j], same_image));
  }
  return telling_.empty() ? 0 : sum / static_cast<double>(telling_.size());
}

double SegmentEnd::frame() const {
  return other_.empty() ? 0 : (other_.back().end - other_.front().begin) / static_cast<double>(other_.size());
}

double SegmentEnd::told_at() const {
  double sum = 0;
  for (const std::size_t i : telling_) sum += (query_[i].begin + query_[i].end) / 2;
  return telling_.empty() ? coarse_.query : sum / static_cast<double>(telling_.size());
}

void SegmentEnd::add_to(PlaceFit& fit, double speed, double shift) const {
  const auto same = surely_same(speed, shift);
  for (const auto& [i, j] : same) fit.add(query_[i], other_[j], places_, weights_);
  for (std::size_t k = same.size(); k < telling_.size(); ++k) fit.add_unlike();
}

std::vector<double> SegmentEnd::correlations(double speed, double shift, const PlaceOffset& offset) const {
  std::vector<double> found;
  for (const std::size_t i : telling_) {
    const std::optional<std::size_t> j = partner(i, speed, shift);
    found.push_back(j ? correlation(query_[i].values, moved(other_[*j], offset).values, places_, weights_) : 0);
  }
  return found;
}

SegmentEnd::LastAlike SegmentEnd::last_alike(const SameFrames& same, double speed, double shift) const {
  const auto step = is_in_ ? -1 : 1;
  const std::size_t middle = telling_[telling_.size() / 2], outermost = surely_same(speed, shift).front().first;
  auto i = static_cast<std::ptrdiff_t>(is_in_ ? std::max(middle, outermost) : std::min(middle, outermost));
  LastAlike result;
  int misses = 0;
  for (; misses < ending_misses; i += step) {
    const auto at = static_cast<std::size_t>(i);  // before the first frame it is beyond the last one
    const std::optional<std::size_t> j = at < query_.size() ? partner(at, speed, shift) : std::nullopt;
    if (!j) break;
    ++misses;
    if (correlations_[at][*j] < same.limit && !stands_out(at, *j, same.gap)) continue;
    result.frame = at;
    misses = 0;
  }
  result.others_follow = misses == ending_misses;
  return result;
}

std::optional<SegmentEnd::Found> SegmentEnd::find(double speed, double shift) const {
  if (const std::optional<Found> frozen = freeze(speed, shift)) return frozen;
  const std::optional<SameFrames> same = same_frames(speed, shift);
  if (!same) return std::nullopt;
  const LastAlike alike = last_alike(*same, speed, shift);
  if (!alike.frame) return std::nullopt;
  const std::size_t at = *alike.frame;
  const Outermost outer = outermost_alike(at, *same, speed, shift);
  const bool is_beyond_last = outer.is_cut && fades_at(at, speed, shift);
  const std::size_t shown = is_beyond_last ? outer.frame : at;
  const Times end = times_of(shown, *partner(shown, speed, shift));
  // Without other frames beyond, the clip ends there, or the window.
  const double moved_by = std::abs(end.query - coarse_.query);
  const bool is_seen = alike.others_follow || moved_by < most_shift;
  if (!is_seen) return Found{end, moved_by};
  const double inner = doubtful_time(at, same->level - same->noise, speed, shift),
               beyond = seconds_apart(at, outer.frame);
  return Found{end, is_beyond_last && outer.frame != at ? inner + beyond : std::max(inner, beyond)};
}

double SegmentEnd::seconds_apart(std::size_t last, std::size_t other) const {
  const FrameCells& frame = query_[last];
  return std::abs(frame.begin - query_[other].begin) + (frame.end - frame.begin) / 2;
}

std::optional<double> SegmentEnd::likeness_at(std::ptrdiff_t i, double speed, double shift) const {
  if (i < 0 || i >= std::ssize(query_)) return std::nullopt;
  const auto at = static_cast<std::size_t>(i);
  const std::optional<std::size_t> j = partner(at, speed, shift);
  return j ? std::optional(correlations_[at][*j]) : std::nullopt;
}

double SegmentEnd::doubtful_time(std::size_t last, double least, double speed, double shift) const {
  const std::ptrdiff_t inwards = is_in_ ? 1 : -1;
  auto k = static_cast<std::ptrdiff_t>(last);
  while (k >= 0 && k < std::ssize(query_) && likeness_at(k, speed, shift).value_or(least - 1) < least) k += inwards;
  return seconds_apart(last, static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(k, 0, std::ssize(query_) - 1)));
}

SegmentEnd::Outermost SegmentEnd::outermost_alike(std::size_t last, const SameFrames& same, double speed,
                                                  double shift) const {
  const std::ptrdiff_t outwards = is_in_ ? -1 : 1;
  auto k = static_cast<std::ptrdiff_t>(last), alike = k;
  double here = *likeness_at(k, speed, shift);
  while (const std::optional<double> beyond = likeness_at(k + outwards, speed, shift)) {
    const double drop = here - *beyond;
    if (drop >= another_scene && drop > same.level - here) return {static_cast<std::size_t>(k), true};
    k += outwards;
    here = *beyond;
    if (alike == k - outwards && here >= same.level - same.noise) alike = k;
  }
  return {static_cast<std::size_t>(alike), false};
}

bool SegmentEnd::fades_at(std::size_t last, double speed, double shift) const {
  const std::ptrdiff_t outwards = is_in_ ? -1 : 1;
  const auto drop_after = [&](std::ptrdiff_t k) {
    const std::optional<double> inner = likeness_at(k, speed, shift), beyond = likeness_at(k + outwards, speed, shift);
    return inner && beyond ? *inner - *beyond : 0;
  };
  const auto at = static_cast<std::ptrdiff_t>(last);
  return drop_after(at) <= least_noise + 2 * std::max(drop_after(at - outwards), drop_after(at + outwards));
}

std::vector<std::pair<std::size_t, std::size_t>> SegmentEnd::surely_same(double speed, double shift) const {
  std::vector<std::pair<std::size_t, std::size_t>> inwards;
  for (const std::size_t i : telling_) {
    if (const std::optional<std::size_t> j = partner(i, speed, shift)) inwards.emplace_back(i, *j);
  }
  if (!is_in_) std::ranges::reverse(inwards);
  const auto likeness = [&](const auto& pair) { return correlations_[pair.first][pair.second]; };
  std::vector<double> inner;
  for (std::size_t k = inwards.size() / 2; k < inwards.size(); ++k) inner.push_back(likeness(inwards[k]));
  if (inner.empty()) return inwards;
  const double least = median(inner) - another_scene;
  inwards.erase(inwards.begin(),
                std::ranges::find_if(inwards, [&](const auto& one) { return likeness(one) >= least; }));
  return inwards;
}

std::optional<SegmentEnd::SameFrames> SegmentEnd::same_frames(double speed, double shift) const {
  if (telling_.size() < 2) return std::nullopt;
  std::vector<double> same, different;
  for (const auto& [i, j] : surely_same(speed, shift)) {
    same.push_back(correlations_[i][j]);
    for (std::size_t k = 0; k < other_.size(); ++k) {
      if (is_another(k, j)) different.push_back(correlations_[i][k]);
    }
  }
  if (same.size() < 2) return std::nullopt;
  // Frames of the segment differ by the noise of their coding. A frame is another one if it differs by far more, by six
  // median deviations, which are four standard deviations of normal noise; but the frames half a second away are others
  // too, and it must be nearer to those of the segment.
  const double level = median(same);
  std::vector<double> deviations;
  for (const double one : same) deviations.push_back(std::abs(one - level));
  const double noise = std::max(6 * median(deviations), least_noise), far = std::max(noise, least_gap);
  const double gap = different.empty() ? 0.5 : level - median(different);
  // Where half a second changes no more than noise does, only frames of other scenes are told.
  const bool is_slow = gap < std::min(least_gap, far_above * noise);
  return SameFrames{level, noise, level - (is_slow ? far : std::min(0.4 * gap, far)), gap};
}

double SegmentEnd::change(const FrameCells& a, const FrameCells& b) const {
  struct Sum {
    double squares = 0, count = 0;
  };
  std::array<Sum, CellGrid::block_count> sums{};
  for (const std::size_t p : places_) {
    sums[blocks_[p]].squares += (a.values[p] - b.values[p]) * (a.values[p] - b.values[p]);
    ++sums[blocks_[p]].count;
  }
  double most = 0;
  for (const Sum& sum : sums) most = std::max(most, sum.count > 0 ? sum.squares / sum.count : 0);
  return std::sqrt(most);
}

std::vector<SegmentEnd::Still> SegmentEnd::freezes(const std::vector<FrameCells>& frames) const {
  std::vector<std::size_t> outwards(frames.size());
  std::iota(outwards.begin(), outwards.end(), 0);
  if (is_in_) std::ranges::reverse(outwards);
  const auto seconds = [&](std::size_t first, std::size_t last) {
    return is_in_ ? frames[first].end - frames[last].begin : frames[last].end - frames[first].begin;
  };
  std::vector<Still> found;
  for (auto first = outwards.begin(); first != outwards.end();) {
    const auto settled =
        std::find_if(first, outwards.end(), [&](std::size_t k) { return seconds(*first, k) > shortest_freeze; });
    if (settled == outwards.end()) break;
    // The coding of the first frames is the coarsest, so the last one says what is shown.
    const auto is_same = [&](std::size_t k) { return change(frames[k], frames[*settled]) < frozen_change; };
    if (settled == first || !std::all_of(first, settled, is_same)) {
      ++first;
      continue;
    }
    const auto beyond = std::find_if_not(settled, outwards.end(), is_same);
    found.push_back({*first, *(beyond - 1), beyond == outwards.end() ? std::nullopt : std::optional(*beyond)});
    first = beyond;
  }
  return found;
}

std::optional<SegmentEnd::Found> SegmentEnd::freeze(double speed, double shift) const {
  for (const bool is_query : {true, false}) {
    for (const Still& still : freezes(is_query ? query_ : other_)) {
      if (const std::optional<Found> end = freeze_end(still, is_query, speed, shift)) return end;
    }
  }
  return std::nullopt;
}

std::optional<SegmentEnd::Found> SegmentEnd::freeze_end(const Still& still, bool is_query, double speed,
                                                        double shift) const {
  // The frame of one clip that the line meets at a frame of the one that stands, or that moves.
  const auto at_still = is_query ? &SegmentEnd::partner : &SegmentEnd::query_partner;
  const auto at_moving = is_query ? &SegmentEnd::query_partner : &SegmentEnd::partner;
  const std::optional<std::size_t> meets = (this->*at_still)(still.first, speed, shift);
  if (!meets) return std::nullopt;
  const std::optional<Shown> shown = shown_frames((still.first + still.last) / 2, *meets, is_query);
  if (!shown) return std::nullopt;
  const std::optional<std::size_t> with_last = (this->*at_moving)(shown->frame, speed, shift);
  if (!with_last || is_beyond(*with_last, still.last)) return std::nullopt;
  const auto [i, j] = is_query ? std::pair(*with_last, shown->frame) : std::pair(shown->frame, *with_last);
  if (is_something_else(i, j, speed, shift)) return std::nullopt;
  if (still.next && goes_on(*still.next, shown->frame, is_query, speed, shift)) return std::nullopt;
  return Found{times_of(i, j), shown->within};
}

bool SegmentEnd::is_something_else(std::size_t i, std::size_t j, double speed, double shift) const {
  const std::optional<SameFrames> same = same_frames(speed, shift);
  return same && correlations_[i][j] < same->limit && !stands_out(i, j, same->gap);
}

std::optional<SegmentEnd::Shown> SegmentEnd::shown_frames(std::size_t still, std::size_t meets, bool is_query) const {
  const std::vector<FrameCells>& moves = is_query ? other_ : query_;
  const auto unexplained = [&](std::ptrdiff_t k) {
    const auto at = static_cast<std::size_t>(k);
    return 1 - (is_query ? correlations_[still][at] : correlations_[at][still]);
  };
  const auto seconds = [&](std::ptrdiff_t a, std::ptrdiff_t b) {
    return std::abs(moves[static_cast<std::size_t>(a)].begin - moves[static_cast<std::size_t>(b)].begin);
  };
  const auto count = std::ssize(moves), from = static_cast<std::ptrdiff_t>(meets);
  std::ptrdiff_t best = from;
  for (std::ptrdiff_t k = 0; k < count; ++k) {
    if (seconds(k, from) <= most_late && unexplained(k) < unexplained(best)) best = k;
  }
  const double least = unexplained(best) + std::max(unexplained(best) / 2, least_noise);
  const std::ptrdiff_t outwards = is_in_ ? -1 : 1;
  const auto last_alike = [&](std::ptrdiff_t step) {
    std::ptrdiff_t k = best;
    while (k + step >= 0 && k + step < count && unexplained(k + step) < least) k += step;
    return k;
  };
  const std::ptrdiff_t outer = last_alike(outwards), inner = last_alike(-outwards), beyond = outer + outwards;
  if (beyond < 0 || beyond >= count) return std::nullopt;
  const FrameCells& frame = moves[static_cast<std::size_t>(best)];
  const double half = (frame.end - frame.begin) / 2;
  // Both stand, and then one moves on, or cuts to another scene.
  const bool is_cut = unexplained(beyond) > least + another_scene &&
                      change(frame, moves[static_cast<std::size_t>(outer)]) < frozen_change;
  if (is_cut) return Shown{static_cast<std::size_t>(outer), half};
  const std::ptrdiff_t last = seconds(inner, outer) > soon ? outer : best;
  return Shown{static_cast<std::size_t>(last), std::max(seconds(inner, last), seconds(outer, last)) + half};
}

bool SegmentEnd::goes_on(std::size_t next, std::size_t last, bool is_query, double speed, double shift) const {
  const std::vector<FrameCells>&stands = is_query ? query_ : other_, &moves = is_query ? other_ : query_;
  const auto likeness = [&](std::size_t k, std::size_t j) {
    return is_query ? correlations_[k][j] : correlations_[j][k];
  };
  const auto middle = [](const FrameCells& frame) { return (frame.begin + frame.end) / 2; };
  const std::ptrdiff_t step = is_in_ ? -1 : 1;
  double lead = 0;  // of the line before a clip that goes on from where it stood
  for (auto k = static_cast<std::ptrdiff_t>(next); k >= 0 && k < std::ssize(stands); k += step) {
    const auto at = static_cast<std::size_t>(k);
    const double since = (middle(stands[at]) - middle(stands[next])) * (is_query ? speed : 1 / speed);
    const auto on_line = is_query ? partner(at, speed, shift) : query_partner(at, speed, shift);
    const auto from_still = frame_shown(moves, middle(moves[last]) + since);
    if (!on_line || !from_still) break;
    lead += likeness(at, *on_line) - likeness(at, *from_still) + least_noise;
  }
  return lead > 0;
}

SegmentEnd::Times SegmentEnd::times_of(std::size_t i, std::size_t j) const {
  return is_in_ ? Times{query_[i].begin, other_[j].begin} : Times{query_[i].end, other_[j].end};
}

bool SegmentEnd::is_another(std::size_t j, std::size_t k) const {
  return std::abs(other_[j].begin - other_[k].begin) > 0.5;  // [second]
}

bool SegmentEnd::stands_out(std::size_t i, std::size_t j, double gap) const {
  constexpr double least = 0.8, least_lead = 0.01, most_lead = 0.1;  // correlations
  if (correlations_[i][j] < least) return false;
  const double lead = std::clamp(gap / 2, least_lead, most_lead);
  std::vector<double> others;
  for (std::size_t k = 0; k < other_.size(); ++k) {
    if (is_another(k, j)) others.push_back(correlations_[i][k]);
  }
  return !others.empty() && correlations_[i][j] >= median(others) + lead;
}

bool SegmentEnd::moves_elsewhere(double speed, double shift) const {
  std::vector<std::size_t> hidden;
  for (std::size_t p = 0; p < blocks_.size(); ++p) {
    if (!is_visible_[blocks_[p]]) hidden.push_back(p);
  }
  const BlockProducts products = products_in_time(pairs_inside(speed, shift), blocks_, hidden);
  const auto moves = std::ranges::count_if(products, [](const Products& block) {
    return block.count > 0 && block.bb >= moving * static_cast<double>(block.count);
  });
  return static_cast<std::size_t>(moves) >= least_moving;
}

FramePairs SegmentEnd::pairs_inside(double speed, double shift) const {
  FramePairs pairs;
  for (const std::size_t i : inside_) {
    const std::optional<std::size_t> j = partner(i, speed, shift);
    if (j) pairs.emplace_back(&query_[i], &other_[*j]);
  }
  return pairs;
}

void SegmentEnd::find_visible_places(double speed) {
  constexpr int tenths = 7;  // of a second, to most_shift
  using Blocks = std::array<bool, CellGrid::block_count>;
  std::array<Blocks, 2 * tenths + 1> visible_at{};
  const auto index_of = [](int k) { return static_cast<std::size_t>(std::ptrdiff_t{k} + tenths); };
  Blocks has_texture{};
  double most = -1;
  int best = 0;
  for (const int k : {0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5, -6, 6, -7, 7}) {
    const FramePairs pairs = pairs_inside(speed, 0.1 * k);
    const auto correlations = correlations_in_space(pairs, blocks_);
    double sum = 0;
    Blocks& visible = visible_at[index_of(k)];
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
    const Blocks& visible = visible_at[index_of(k)];
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

std::optional<std::size_t> SegmentEnd::partner(std::size_t i, double speed, double shift) const {
  const double middle = (query_[i].begin + query_[i].end) / 2;
  return frame_shown(other_, coarse_.other + shift + speed * (middle - coarse_.query));
}

std::optional<std::size_t> SegmentEnd::query_partner(std::size_t j, double speed, double shift) const {
  const double middle = (other_[j].begin + other_[j].end) / 2;
  return frame_shown(query_, coarse_.query + (middle - shift - coarse_.other) / speed);
}

}  // namespace octavo
