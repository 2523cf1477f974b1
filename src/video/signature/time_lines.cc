#include "video/signature/time_lines.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace octavo {
namespace {

// Chosen on three clips: docs/video-search.md, What was measured.
constexpr double bin = 0.25;             // [second] of offsets
constexpr double speed_step = 1.02;      // the ratio of two speeds that are tried
constexpr double preference = 1.08;      // the factor of the votes of speed 1, which most copies have
constexpr double share_taken_off = 0.5;  // of the largest weight of each frame of the query
constexpr double widest = 1 << 20;       // [second] of offsets that are counted at a time, 12 days: a limit of memory

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
};

Range offsets_of(const TimePair& pair, double speed) {
  return {pair.other_from - speed * pair.query_to, pair.other_to - speed * pair.query_from};
}

// The offsets that count: all, or those around their median where times that leap lay them too far apart. The others
// count when the pairs on the first lines are taken out.
Range counted_offsets(const std::vector<TimePair>& pairs, double speed) {
  Range all;
  for (const TimePair& pair : pairs) {
    const Range range = offsets_of(pair, speed);
    all = {std::min(all.low, range.low), std::max(all.high, range.high)};
  }
  if (all.high - all.low <= widest) return all;
  std::vector<double> lows;
  for (const TimePair& pair : pairs) lows.push_back(offsets_of(pair, speed).low);
  const auto middle = lows.begin() + std::ssize(lows) / 2;
  std::nth_element(lows.begin(), middle, lows.end());
  return {*middle - widest / 2, *middle + widest / 2};
}

// Sums for the offsets that count at one speed. Keeps its memory.
class Votes {
 public:
  VotedLine best(const std::vector<TimePair>& pairs, double speed) {
    const Range counted = counted_offsets(pairs, speed);
    begin_with(static_cast<std::size_t>((counted.high - counted.low) / bin) + 1);
    for (std::size_t begin = 0; begin < pairs.size();) {
      std::size_t end = begin;
      while (end < pairs.size() && pairs[end].query == pairs[begin].query) ++end;
      add_frame(pairs, begin, end, speed, counted);
      begin = end;
    }
    // The middle of the bins that have the most votes.
    std::size_t first = 0;
    for (const std::size_t b : used_) {
      if (rows_[b].most > rows_[first].most || (rows_[b].most == rows_[first].most && b < first)) first = b;
    }
    const double most = rows_[first].most;
    std::size_t last = first;
    while (last + 1 < bins_ && rows_[last + 1].most == most) ++last;
    const double middle = (static_cast<double>(first) + static_cast<double>(last) + 1) / 2;
    return {{speed, counted.low + middle * bin}, most};
  }

 private:
  // The best row of frames of a bin, as Kadane's algorithm finds it.
  struct Row {
    double sum = 0, most = 0;
    double taken_off = -1;  // up to the last frame of the sum; -1: without any
  };

  // Clips whose times leap have millions of bins, few of which get votes: only those are cleared and compared.
  void begin_with(std::size_t bins) {
    for (const std::size_t b : used_) rows_[b] = {};
    used_.clear();
    bins_ = bins;
    rows_.resize(std::max(rows_.size(), bins));
    of_frame_.resize(rows_.size());
    taken_off_ = 0;
  }

  // Of a frame of the query the greatest weight in a bin counts.
  void add_frame(const std::vector<TimePair>& pairs, std::size_t begin, std::size_t end, double speed,
                 const Range& counted) {
    touched_.clear();
    double largest = 0;
    for (std::size_t p = begin; p < end; ++p) {
      largest = std::max(largest, pairs[p].weight);
      const Range range = offsets_of(pairs[p], speed);
      if (range.high < counted.low || range.low > counted.high) continue;
      const auto bin_of = [&](double offset) {
        return static_cast<std::size_t>((std::clamp(offset, counted.low, counted.high) - counted.low) / bin);
      };
      const auto first = bin_of(range.low);
      const auto last = std::min(bin_of(range.high), bins_ - 1);
      for (std::size_t b = first; b <= last; ++b) {
        if (of_frame_[b] == 0) touched_.push_back(b);
        of_frame_[b] = std::max(of_frame_[b], pairs[p].weight);
      }
    }
    const double off = share_taken_off * largest;
    for (const std::size_t b : touched_) {
      Row& row = rows_[b];
      if (row.taken_off < 0) used_.push_back(b);
      row.sum = std::max(0.0, row.sum - (taken_off_ - row.taken_off)) + of_frame_[b] - off;
      row.most = std::max(row.most, row.sum);
      row.taken_off = taken_off_ + off;
      of_frame_[b] = 0;
    }
    taken_off_ += off;
  }

  std::vector<Row> rows_;
  std::vector<double> of_frame_;
  std::size_t bins_ = 0;                     // of this speed; the others are empty
  std::vector<std::size_t> touched_, used_;  // by a frame; by any frame of this speed
  double taken_off_ = 0;                     // of a bin without a weight, so far
};

}  // namespace

std::optional<TimeSpan> met(const TimeLine& line, const TimePair& pair, double reach) {
  const double from = std::max(pair.query_from, (pair.other_from - reach - line.offset) / line.speed);
  const double to = std::min(pair.query_to, (pair.other_to + reach - line.offset) / line.speed);
  return from <= to ? std::optional(TimeSpan{from, to}) : std::nullopt;
}

VotedLine best_line(const std::vector<TimePair>& pairs, double min_speed, double max_speed) {
  Votes votes;
  VotedLine best;
  double most = -1;
  const auto consider = [&](double speed, double factor) {
    const VotedLine voted = votes.best(pairs, speed);
    if (voted.votes * factor <= most) return;
    most = voted.votes * factor;
    best = voted;
  };
  consider(1, preference);
  for (double speed = speed_step; speed <= max_speed * 1.001; speed *= speed_step) consider(speed, 1);
  for (double speed = 1 / speed_step; speed >= min_speed / 1.001; speed /= speed_step) consider(speed, 1);
  return best;
}

TimeLine nearest_line(const std::vector<TimePair>& pairs, const TimeLine& line, double reach) {
  if (pairs.empty()) return line;
  const double centre = (pairs.front().query_from + pairs.back().query_from) / 2;
  const double other_centre = line.other_at(centre);
  TimeLine best = line;
  double most = 0;
  const auto consider = [&](double speed, double factor) {
    constexpr int steps = 20;  // to either side, up to `reach`
    for (int step = -steps; step <= steps; ++step) {
      const double other = other_centre + reach * step / steps;
      double sum = 0;
      for (const TimePair& pair : pairs) {
        const double away = std::abs(pair.other_from - other - speed * (pair.query_from - centre));
        if (away < reach) sum += pair.weight * (1 - away / reach);
      }
      if (sum * factor <= most) continue;
      most = sum * factor;
      best = {speed, other - speed * centre};
    }
  };
  if (std::abs(line.speed - 1) < 0.25) consider(1, preference);  // most copies have it, and slow scenes tell little
  for (int step = -10; step <= 10; ++step) consider(line.speed * (1 + 0.005 * step), 1);
  return best;
}

}  // namespace octavo
