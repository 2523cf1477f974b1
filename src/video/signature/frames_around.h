// The frames around some times of a clip, which is read once: those within reach of a time, and five on either side of
// it where a clip has few frames a second. What is kept of a frame is the window's business: cells, or all of it.

#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "octavo/image.h"
#include "octavo/progress.h"
#include "octavo/video/video.h"
#include "video/frames/video_parts.h"

namespace octavo {

/// A frame of a clip.
struct ShownFrame {
  Image grey;
  double begin = 0, end = 0;  ///< [second] when it is shown, from the first frame
};

/// Frames are shared by the windows that lie over each other.
using SharedFrame = std::shared_ptr<const ShownFrame>;

/// Reads the frames around some times, in their order.
class FramesAround {
 public:
  /// [second] Throws what Video throws.
  FramesAround(const std::filesystem::path& clip, const VideoOptions& options, std::span<const double> centres,
               double reach);
  /// The size of the first frame; none if the clip has no frame.
  [[nodiscard]] std::optional<std::pair<int, int>> size() const { return size_; }
  /// The next frame; null at the end. Frames around other times than those may come too.
  SharedFrame next();

 private:
  video::VideoParts video_;
  std::optional<VideoFrame> frame_;
  std::optional<std::pair<int, int>> size_;
  double first_ = 0;
};

/// Frames of a window, on either side of its centre.
constexpr std::ptrdiff_t least_frames = 5;

/// Adds those of some earlier frames that a window lacks before its first one, once the frames beyond its centre begin
/// or the clip ends. `begin_of` and `kept` are those of fill_windows.
template <class Window, class BeginOf, class Kept>
void add_missing(Window& window, const std::deque<SharedFrame>& earlier, const BeginOf& begin_of, const Kept& kept) {
  auto& frames = window.frames;
  if (!frames.empty() && begin_of(frames.back()) > window.centre) return;
  for (auto one = earlier.rbegin(); one != earlier.rend() && std::ssize(frames) < least_frames; ++one) {
    if (!frames.empty() && (*one)->begin >= begin_of(frames.front())) continue;
    if (auto frame = kept(window, *one)) frames.insert(frames.begin(), std::move(*frame));
  }
}

/// Whether a window needs no frame that begins now or later.
template <class Window, class BeginOf>
bool is_complete(const Window& window, double now, const BeginOf& begin_of) {
  const auto is_beyond = [&](const auto& frame) { return begin_of(frame) > window.centre; };
  return now > window.centre + window.reach && std::ranges::count_if(window.frames, is_beyond) >= least_frames;
}

/// Fills windows, up to the last one. `Window` has `centre`, `reach` [second] and `frames`; `begin_of(frame)` of these
/// tells when they begin. `kept(window, shown)` gives an optional frame of a window, and `finish(window, is_last)` is
/// told when one is full, or the clip ends.
template <class Window, class BeginOf, class Kept, class Finish>
void fill_windows(FramesAround& clip, std::span<Window* const> windows, const ProgressSink& progress,
                  const BeginOf& begin_of, const Kept& kept, const Finish& finish) {
  std::deque<SharedFrame> before;  // those that windows may lack
  std::vector<Window*> open(windows.begin(), windows.end());
  while (!open.empty()) {
    const SharedFrame shown = clip.next();
    if (!shown) break;
    report(progress, "frames around ends");
    std::erase_if(open, [&](Window* window) {
      if (!is_complete(*window, shown->begin, begin_of)) return false;
      finish(*window, false);
      return true;
    });
    for (Window* window : open) {
      if (shown->begin < window->centre - window->reach) continue;
      if (shown->begin > window->centre) add_missing(*window, before, begin_of, kept);
      if (auto frame = kept(*window, shown)) window->frames.push_back(std::move(*frame));
    }
    before.push_back(shown);
    if (std::ssize(before) > least_frames) before.pop_front();
  }
  for (Window* window : open) {
    add_missing(*window, before, begin_of, kept);
    finish(*window, true);
  }
}

}  // namespace octavo
