#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "octavo/video/video_file.h"

namespace octavo::video {

/// A part of a video: times from its first frame on. [second]
struct Part {
  double from = 0, to = 0;
};

/// A process is started with no more parts than this: they are one word of its arguments, which has a limit of 128 KiB.
inline constexpr std::size_t most_parts = 1000;

/// [second] Decoding so much is as quick as a leap.
inline constexpr double far_apart = 2;

/// In the order of time; those that touch, overlap, or are at most `apart` seconds from each other are one.
std::vector<Part> merged(std::vector<Part> parts, double apart = 0);

/// Chooses the frames of parts: the first frame of the video, and for each part the last frame before it, which is seen
/// when it begins, its frames, and the first frame after it, which ends the last one.
class PartChoice {
 public:
  /// `parts` are merged, and not empty. The time base is positive.
  PartChoice(const std::vector<Part>& parts, Ratio time_base);

  /// The frame before one may be taken only when the next one has come.
  struct Taken {
    bool before = false;  ///< the frame before this one, which was not taken so far
    bool this_one = false;
  };
  /// What is taken now that the next frame has come. [tick]
  Taken take(std::int64_t ticks);
  /// Whether the last frame is taken when no other follows: it was not so far, and is seen when a part begins.
  [[nodiscard]] bool takes_last() const { return last_ && !is_last_taken_ && !is_done(); }

  /// No frame is taken any more.
  [[nodiscard]] bool is_done() const { return part_ == parts_.size(); }
  /// When the next part begins, if that is long after the last frame. [tick]
  [[nodiscard]] std::optional<std::int64_t> far_begin() const;

 private:
  struct Ticks {
    std::int64_t from = 0, to = 0;
  };

  std::vector<Part> seconds_;
  double ticks_a_second_;
  std::vector<Ticks> parts_;  // known when the first frame has come
  std::size_t part_ = 0;
  std::optional<std::int64_t> last_;
  bool is_last_taken_ = false;
};

}  // namespace octavo::video
