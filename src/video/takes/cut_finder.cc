// A frame is 24×16 mean greys, less their mean and divided by their length, so that brightness and contrast play no
// part. Two frames differ by 1 − the product of these vectors (0…2). The jump before a frame is the least difference of
// the three frames before and the three from it on: a flash or a frame with a fault, after which the image goes on,
// is no jump. A cut is a jump far above the steps from frame to frame around it, so that pans and shaking cameras have
// none (the sliding window of Yeo and Liu 1995).

#include "video/takes/cut_finder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "octavo/video/video.h"
#include "video/frames/content.h"

namespace octavo {

namespace {

constexpr double least_jump = 0.04;   // in correlation: less is motion and noise (docs/takes.md)
constexpr double least_ratio = 4;     // of the jump and the steps around it
constexpr double sure_jump = 0.6;     // images that have nothing in common
constexpr double sure_ratio = 2;      // for those
constexpr double window_seconds = 1;  // on either side, of the steps that a jump is compared with
constexpr double flat_deviation = 1;  // [grey level] an image that varies less has no structure

}  // namespace

CutFinder::Cells CutFinder::cells_of(const ImageView& grey) {
  Cells cells;
  double mean = 0;
  for (int row = 0; row < rows; ++row) {
    const int top = row * grey.height / rows, bottom = std::max((row + 1) * grey.height / rows, top + 1);
    for (int column = 0; column < columns; ++column) {
      const int left = column * grey.width / columns, right = std::max((column + 1) * grey.width / columns, left + 1);
      std::int64_t sum = 0;
      for (int y = top; y < bottom; ++y) {
        const std::byte* const line = grey.row(y);
        for (int x = left; x < right; ++x) sum += std::to_integer<int>(line[x]);
      }
      const double value = static_cast<double>(sum) / ((right - left) * (bottom - top));
      cells[static_cast<std::size_t>(row * columns + column)] = static_cast<float>(value);
      mean += value;
    }
  }
  mean /= static_cast<double>(cells.size());
  double squares = 0;
  for (float& cell : cells) {
    cell -= static_cast<float>(mean);
    squares += static_cast<double>(cell) * cell;
  }
  const double length = std::sqrt(squares);
  const bool is_flat = length < flat_deviation * std::sqrt(static_cast<double>(cells.size()));
  for (float& cell : cells) cell = is_flat ? 0 : static_cast<float>(cell / length);
  return cells;
}

double CutFinder::difference(const Cells& a, const Cells& b) {
  double product = 0, of_a = 0, of_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += static_cast<double>(a[i]) * b[i];
    of_a += static_cast<double>(a[i]) * a[i];
    of_b += static_cast<double>(b[i]) * b[i];
  }
  if (of_a == 0 && of_b == 0) return 0;  // both are flat
  return 1 - product;
}

void CutFinder::add(const ImageView& grey, double seconds) {
  times_.push_back(seconds);
  junk_.push_back(content_of(grey).junk);
  window_.push_back(cells_of(grey));
  steps_.push_back(
      static_cast<float>(window_.size() < 2 ? 0 : difference(window_[window_.size() - 2], window_.back())));
  jumps_.push_back(steps_.back());
  if (window_.size() > 2 * reach) window_.pop_front();
  compare();
}

// The new frame is compared with those before it: it lies on the later side of the jumps before the last `reach`
// frames.
void CutFinder::compare() {
  const std::size_t frame = times_.size() - 1, first = times_.size() - window_.size();
  for (std::size_t at = frame; at + reach > frame && at > 0; --at) {
    for (std::size_t before = at; before-- > first && before + reach >= at;) {
      const double here = difference(window_[before - first], window_.back());
      jumps_[at] = std::min(jumps_[at], static_cast<float>(here));
    }
  }
}

bool CutFinder::is_cut(std::size_t i) const {
  const double jump = jumps_[i];
  if (jump < least_jump) return false;
  // The mean of the steps around, but those across this cut, and the greatest jump near it.
  double sum = 0;
  std::size_t steps = 0;
  bool is_greatest = true;
  const auto look = [&](std::size_t k) {
    const std::size_t distance = std::max(i, k) - std::min(i, k);
    if (distance < reach) {
      is_greatest = is_greatest && (jumps_[k] < jumps_[i] || (jumps_[k] == jumps_[i] && k >= i));
    } else {
      sum += std::min(double{steps_[k]}, jump);
      ++steps;
    }
  };
  for (std::size_t k = i; k-- > 1 && times_[i] - times_[k] <= window_seconds;) look(k);
  for (std::size_t k = i + 1; k < times_.size() && times_[k] - times_[i] <= window_seconds; ++k) look(k);
  const double usual = steps > 0 ? sum / static_cast<double>(steps) : 0;
  return is_greatest && jump >= (jump >= sure_jump ? sure_ratio : least_ratio) * usual;
}

ClipCuts CutFinder::finish(double seconds) {
  ClipCuts found{.seconds = seconds, .cuts = {}, .junk = {}};
  const std::size_t count = times_.size();
  for (std::size_t i = 0; i < count;) {
    std::size_t end = i;
    while (end < count && junk_[end] == junk_[i]) ++end;
    const double out = end < count ? times_[end] : seconds;
    if (junk_[i] != Junk::none) found.junk.push_back({times_[i], out, junk_[i]});
    i = end;
  }
  for (std::size_t i = 1; i < count; ++i) {
    if (is_cut(i)) found.cuts.push_back(times_[i]);
  }
  return found;
}

ClipCuts find_cuts(const std::filesystem::path& clip, VideoOptions options, const ProgressSink& progress) {
  options.every = 1;
  options.ascending = true;
  options.size = VideoOptions().size;
  options.stored_luma = false;
  options.colour = false;
  Video video(clip, options);
  CutFinder finder;
  const std::string stage = "cuts of " + clip.filename().string();
  std::optional<double> first;
  while (const std::optional<VideoFrame> frame = video.next()) {
    if (!first) first = frame->seconds;
    finder.add(frame->grey.view(), frame->seconds - *first);
    report(progress, stage, static_cast<std::size_t>(std::max(0.0, video.seconds_done())),
           static_cast<std::size_t>(std::max(0.0, video.facts().declared_seconds)));
  }
  return finder.finish(video.seconds_done());
}

}  // namespace octavo
