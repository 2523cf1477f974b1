// The ends of a segment to the frame. Both clips are decoded around the ends with all frames. A frame becomes some
// hundred mean values, at places that the similarity carries from one clip to the other. The correlation of these
// values tells whether two frames are the same, and does not see brightness and contrast. First the shift in time is
// found with which the frames within the segment correlate best, then the frame from which on they do.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "octavo/copy_segment.h"
#include "octavo/video.h"
#include "signature/frame_matches.h"

namespace octavo {
namespace {

constexpr double reach = 1;               // [second] around an end
constexpr double most_shift = 0.7;        // [second] by which the coarse line may be wrong
constexpr int columns = 28, rows = 20;    // of places, in the frame of the query
constexpr std::size_t least_places = 40;  // a smaller overlap says nothing
constexpr double most_change = 1.2;       // of the speed; more is a mistake
constexpr double least_gap = 0.03;        // of correlations of the same and of other frames

// A rectangle of a frame whose mean is a value. [pixel]
struct Cell {
  double x = 0, y = 0, half_width = 0, half_height = 0;
};

struct Sampled {
  double begin = 0, end = 0;  // [second] when the frame is shown, from the first frame
  std::vector<float> values;
};

double mean_of(const ImageView& grey, const Cell& cell) {
  const auto clamped = [](double x, int size) {
    return static_cast<int>(std::clamp(std::floor(x + 0.5), 0.0, size - 1.0));
  };
  const int left = clamped(cell.x - cell.half_width, grey.width);
  const int right = clamped(cell.x + cell.half_width, grey.width);
  const int top = clamped(cell.y - cell.half_height, grey.height);
  const int bottom = clamped(cell.y + cell.half_height, grey.height);
  std::int64_t sum = 0;
  for (int y = top; y <= bottom; ++y) {
    const std::byte* const row = grey.row(y);
    for (int x = left; x <= right; ++x) sum += std::to_integer<int>(row[x]);
  }
  return static_cast<double>(sum) / ((right - left + 1) * (bottom - top + 1));
}

struct Size {
  double width = 0, height = 0;
};

// Cells of both clips that show the same.
struct Grid {
  std::vector<Cell> query, other;
};

Grid grid_of(const CopySegment& segment, const Size& query, const Size& other) {
  Grid grid;
  const Similarity& s = segment.other_from_query;
  const double scale = std::sqrt(s.a * s.a + s.b * s.b);
  // The part of the query's frame that the other's shows: a picture in a picture is a small part.
  double left = query.width, right = 0, top = query.height, bottom = 0;
  constexpr int steps = 100;
  for (int i = 0; i <= steps; ++i) {
    for (int k = 0; k <= steps; ++k) {
      const FramePoint p{query.width * i / steps, query.height * k / steps};
      const FramePoint q = mapped(s, p);
      if (q.x < 0 || q.y < 0 || q.x > other.width || q.y > other.height) continue;
      left = std::min(left, p.x), right = std::max(right, p.x);
      top = std::min(top, p.y), bottom = std::max(bottom, p.y);
    }
  }
  const double half_width = (right - left) / columns / 2, half_height = (bottom - top) / rows / 2;
  for (int i = 0; i < columns; ++i) {
    for (int k = 0; k < rows; ++k) {
      const FramePoint p{left + (2 * i + 1) * half_width, top + (2 * k + 1) * half_height};
      const FramePoint q = mapped(s, p);
      const double to_border = scale * std::max(half_width, half_height);
      if (q.x < to_border || q.y < to_border || q.x > other.width - to_border || q.y > other.height - to_border)
        continue;
      const double x = segment.mirrored ? query.width - 1 - p.x : p.x;
      grid.query.push_back({x, p.y, half_width, half_height});
      grid.other.push_back({q.x, q.y, scale * half_width, scale * half_height});
    }
  }
  return grid;
}

// The frames of a clip within two windows of time.
class Reader {
 public:
  Reader(const std::filesystem::path& clip, VideoOptions options) : video_(clip, every_frame(std::move(options))) {
    frame_ = video_.next();
    if (frame_) first_ = frame_->seconds;
  }

  [[nodiscard]] Size size() const {
    if (!frame_) return {};
    return {static_cast<double>(frame_->grey.width()), static_cast<double>(frame_->grey.height())};
  }

  // The frames around both times.
  std::pair<std::vector<Sampled>, std::vector<Sampled>> around(double in, double out, double reach_in_seconds,
                                                               const std::vector<Cell>& cells) {
    std::pair<std::vector<Sampled>, std::vector<Sampled>> windows;
    const Size expected = size();
    while (frame_) {
      const double begin = frame_->seconds - first_;
      if (begin > out + reach_in_seconds) break;
      const bool near_in = std::abs(begin - in) <= reach_in_seconds,
                 near_out = std::abs(begin - out) <= reach_in_seconds;
      std::vector<float> values;
      const Size now = size();
      if ((near_in || near_out) && now.width == expected.width && now.height == expected.height) {
        for (const Cell& cell : cells) values.push_back(static_cast<float>(mean_of(frame_->grey.view(), cell)));
      }
      frame_ = video_.next();
      const double end = std::max(frame_ ? frame_->seconds - first_ : video_.seconds_done(), begin);
      if (values.empty()) continue;
      if (near_in) windows.first.push_back({begin, end, values});
      if (near_out) windows.second.push_back({begin, end, std::move(values)});
    }
    return windows;
  }

 private:
  static VideoOptions every_frame(VideoOptions options) {
    options.every = 1;
    options.size = VideoOptions().size;
    options.stored_luma = options.colour = false;
    return options;
  }

  Video video_;
  std::optional<VideoFrame> frame_;
  double first_ = 0;
};

// Places that change tell more of the time than those that stay: their weight is the deviation over the frames.
std::vector<double> weights_of(const std::vector<Sampled>& query, const std::vector<Sampled>& other) {
  const std::size_t places = query.front().values.size();
  std::vector<double> weights(places, 0);
  double total = 0;
  for (const std::vector<Sampled>* frames : {&query, &other}) {
    for (std::size_t p = 0; p < places; ++p) {
      double sum = 0, squares = 0;
      for (const Sampled& frame : *frames) {
        sum += frame.values[p];
        squares += static_cast<double>(frame.values[p]) * frame.values[p];
      }
      const auto n = static_cast<double>(frames->size());
      const double deviation = std::sqrt(std::max(squares / n - (sum / n) * (sum / n), 0.0));
      weights[p] += deviation;
      total += deviation;
    }
  }
  const double least = 0.1 * total / static_cast<double>(places) + 1e-6;
  for (double& weight : weights) weight += least;
  return weights;
}

double correlation(const std::vector<float>& a, const std::vector<float>& b, const std::vector<double>& weights) {
  double sum = 0, mean_a = 0, mean_b = 0;
  for (std::size_t p = 0; p < weights.size(); ++p) {
    sum += weights[p];
    mean_a += weights[p] * a[p];
    mean_b += weights[p] * b[p];
  }
  mean_a /= sum;
  mean_b /= sum;
  double aa = 0, ab = 0, bb = 0;
  for (std::size_t p = 0; p < weights.size(); ++p) {
    const double x = a[p] - mean_a, y = b[p] - mean_b;
    aa += weights[p] * x * x;
    ab += weights[p] * x * y;
    bb += weights[p] * y * y;
  }
  // Frames of one grey have no correlation; both being so, they are the same.
  const double flat = sum * 0.5;
  if (aa < flat || bb < flat) return aa < flat && bb < flat ? 1 : 0;
  return ab / std::sqrt(aa * bb);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// One end of a segment: where the line passes it by the coarse search, and the frames around it.
class End {
 public:
  struct Times {
    double query = 0, other = 0;
  };

  End(const std::vector<Sampled>& query, const std::vector<Sampled>& other, const Times& coarse, bool is_in)
      : query_(query), other_(other), coarse_(coarse), is_in_(is_in) {
    if (query.empty() || other.empty()) return;
    const std::vector<double> weights = weights_of(query, other);
    for (const Sampled& a : query) {
      std::vector<double>& row = correlations_.emplace_back();
      for (const Sampled& b : other) row.push_back(correlation(a.values, b.values, weights));
    }
    for (std::size_t i = 0; i < query.size(); ++i) {
      const double within = is_in ? query[i].begin - coarse.query : coarse.query - query[i].end;
      if (within > -0.01) inside_.push_back(i);
    }
  }

  // By how much the line passes later in the other clip. [second]
  [[nodiscard]] double lag() const { return coarse_.other - coarse_.query; }

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
        if (std::abs(other_[k].begin - other_[*j].begin) > 0.5) different.push_back(correlations_[i][k]);
      }
    }
    if (same.size() < 2) return std::nullopt;
    // Frames of the segment differ by the noise of their coding. A frame is another one if it differs by far more, but
    // the frames half a second away are others too.
    const double level = median(same);
    std::vector<double> deviations;
    for (const double one : same) deviations.push_back(std::abs(one - level));
    const double gap = different.empty() ? 0.5 : std::max(level - median(different), least_gap);
    const double limit = level - std::min(0.4 * gap, std::max(6 * median(deviations), least_gap));

    // From the middle of the inside outwards, as long as the frames are the same; two bad frames do not end it.
    const auto step = is_in_ ? -1 : 1;
    auto i = static_cast<std::ptrdiff_t>(inside_[inside_.size() / 2]);
    std::ptrdiff_t last = -1;
    for (int misses = 0; i >= 0 && i < std::ssize(query_) && misses < 3; i += step) {
      const std::optional<std::size_t> j = partner(static_cast<std::size_t>(i), speed, shift);
      if (!j) break;
      if (correlations_[static_cast<std::size_t>(i)][*j] >= limit) {
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
  // The frame of the other clip that is shown in the middle of this frame of the query.
  [[nodiscard]] std::optional<std::size_t> partner(std::size_t i, double speed, double shift) const {
    const double middle = (query_[i].begin + query_[i].end) / 2;
    const double time = coarse_.other + shift + speed * (middle - coarse_.query);
    const auto after = std::upper_bound(other_.begin(), other_.end(), time,
                                        [](double t, const Sampled& frame) { return t < frame.begin; });
    if (after == other_.begin() || time >= (after - 1)->end) return std::nullopt;
    return static_cast<std::size_t>(after - other_.begin() - 1);
  }

  const std::vector<Sampled>& query_;
  const std::vector<Sampled>& other_;
  Times coarse_;
  bool is_in_;
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

// A slow scene tells little of time, and most copies have speed 1, so a line of this speed is taken where it is nearly
// as good as the best shifts of both ends.
Correction correction_of(const End& in, const End& out, double speed) {
  const Shift of_in =
      best_shift(-most_shift, most_shift, [&](double shift) { return in.mean_correlation(speed, shift); });
  const Shift of_out =
      best_shift(-most_shift, most_shift, [&](double shift) { return out.mean_correlation(speed, shift); });
  const double low = std::max(in.lag(), out.lag()) - most_shift, high = std::min(in.lag(), out.lag()) + most_shift;
  if (low < high) {
    const Shift lag = best_shift(low, high, [&](double seconds) {
      return in.mean_correlation(1, seconds - in.lag()) + out.mean_correlation(1, seconds - out.lag());
    });
    constexpr double nearly = 0.01;
    if (lag.correlation >= of_in.correlation + of_out.correlation - nearly)
      return {1, lag.seconds - in.lag(), lag.seconds - out.lag()};
  }
  return {speed, of_in.seconds, of_out.seconds};
}

}  // namespace

CopySegment refine_ends(const CopySegment& segment, const std::filesystem::path& query,
                        const std::filesystem::path& other, const VideoOptions& video) {
  Reader query_reader(query, video), other_reader(other, video);
  const Grid grid = grid_of(segment, query_reader.size(), other_reader.size());
  CopySegment refined = segment;
  if (grid.query.size() < least_places) return refined;
  const auto of_query = query_reader.around(segment.query_in, segment.query_out, reach, grid.query);
  const double other_reach = reach * std::max(1.0, segment.speed) + most_shift;
  const auto of_other = other_reader.around(segment.other_in, segment.other_out, other_reach, grid.other);
  const End in(of_query.first, of_other.first, {segment.query_in, segment.other_in}, true);
  const End out(of_query.second, of_other.second, {segment.query_out, segment.other_out}, false);
  // The first round gives a better speed to the second.
  for (int round = 0; round < 2; ++round) {
    const Correction better = correction_of(in, out, refined.speed);
    if (const std::optional<End::Times> times = in.find(better.speed, better.in)) {
      refined.query_in = times->query;
      refined.other_in = times->other;
    }
    if (const std::optional<End::Times> times = out.find(better.speed, better.out)) {
      refined.query_out = times->query;
      refined.other_out = times->other;
    }
    if (refined.query_out <= refined.query_in || refined.other_out <= refined.other_in) return segment;
    refined.speed = (refined.other_out - refined.other_in) / (refined.query_out - refined.query_in);
    const double change = refined.speed / segment.speed;
    if (change > most_change || change < 1 / most_change) return segment;
  }
  // Less than two frames of 25 a second at an end: the same speed.
  if (std::abs(refined.speed - 1) * (refined.query_out - refined.query_in) < 0.08) refined.speed = 1;
  return refined;
}

}  // namespace octavo
