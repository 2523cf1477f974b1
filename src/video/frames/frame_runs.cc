// Runs of unchanged frames, by differences of blocks.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "video/frames/frame_runs.h"
#include "video/frames/grey_frame.h"

namespace octavo {
namespace {

constexpr int block = 8;
constexpr int much = 12, some = 5;  // grey levels a pixel

// Whether b shows what a shows.
bool is_unchanged(const ImageView& a, const ImageView& b) {
  if (a.width != b.width || a.height != b.height) return false;
  std::int64_t blocks = 0, changed = 0;
  for (int top = 0; top < a.height; top += block) {
    const int rows = std::min(block, a.height - top);
    for (int left = 0; left < a.width; left += block) {
      const int columns = std::min(block, a.width - left);
      int difference = 0;
      for (int y = top; y < top + rows; ++y) {
        const std::uint8_t *p = video::grey_row(a, y) + left, *q = video::grey_row(b, y) + left;
        for (int x = 0; x < columns; ++x) difference += std::abs(p[x] - q[x]);
      }
      if (difference > much * rows * columns) return false;
      changed += difference > some * rows * columns ? 1 : 0;
      ++blocks;
    }
  }
  return 3 * changed <= blocks;
}

}  // namespace

bool FrameRuns::add(const ImageView& grey, std::int64_t index, double seconds) {
  video::require_grey(grey);
  if (current_ && is_unchanged(first_.view(), grey)) {
    current_->last = index;
    current_->end = seconds;
    ++current_->frames;
    return true;
  }
  end_run(seconds);
  first_ = Image(grey.width, grey.height, 1, PixelType::u8);
  for (int y = 0; y < grey.height; ++y) std::memcpy(first_.row(y), grey.row(y), static_cast<std::size_t>(grey.width));
  current_ = {index, index, 1, seconds, seconds};
  return false;
}

void FrameRuns::end_run(double seconds) {
  if (current_ && current_->frames > 1) {
    current_->end = seconds;
    ended_.push_back(*current_);
  }
  current_.reset();
}

std::vector<FrameRun> FrameRuns::take_ended() { return std::exchange(ended_, {}); }

void FrameRuns::finish() {
  if (current_) end_run(current_->end);
}

}  // namespace octavo
