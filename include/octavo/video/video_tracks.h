#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/keypoint.h"
#include "octavo/option_table.h"

// Keypoints that are followed from frame to frame of a video. docs/video.md describes the method.

namespace OCTAVO_API octavo {

/// Which keypoints of two neighbouring frames are the same point.
struct TrackOptions {
  /// A point of the next frame continues a track if its distance of descriptors is below this ratio times that of the
  /// second nearest of the points that the motion allows (MatchOptions::ratio).
  double ratio = 0.8;
  /// The largest distance that a point moves from a frame to the next, as a share of the longer side of the frames.
  double max_motion = 0.05;
  /// The largest Euclidean distance of the descriptors. It decides alone where the motion allows one point only.
  double max_distance = 250;
  /// The number of steps of its way that a track keeps for drawing.
  std::int64_t tail = 15;

  bool operator==(const TrackOptions&) const = default;
};

/// Name, kind, range, unit and meaning of every option.
template <>
const OptionTable<TrackOptions>& option_table<TrackOptions>();

/// Throws Error(invalid_option), which names the option.
void validate(const TrackOptions& options);

/// Where a keypoint was.
struct TrackPlace {
  float x = 0;  ///< [pixel] as in Keypoint
  float y = 0;
  bool operator==(const TrackPlace&) const = default;
};

/// A keypoint that is followed.
struct Track {
  std::int64_t id = 0;         ///< from 0, in the order in which tracks begin
  std::int64_t frames = 1;     ///< the number of frames in which it has been seen, without a gap
  std::deque<TrackPlace> way;  ///< its last places, the present one at the end: at most TrackOptions::tail + 1
};

/// What is known of all tracks of a video.
struct TrackStatistics {
  std::int64_t tracks = 0;          ///< those that were seen in at least two frames
  std::int64_t longest = 0;         ///< [frame]
  std::int64_t steps = 0;           ///< points that continue the track of a point in the frame before
  std::int64_t possible_steps = 0;  ///< points of all frames but the first
  /// [frame] the mean length of the tracks of at least two frames; 0 without tracks
  [[nodiscard]] double mean_length() const;
  bool operator==(const TrackStatistics&) const = default;
};

/// Follows the keypoints of a video's frames. Tracks are the same on every device. An object is used by one thread at a
/// time.
class KeypointTracker {
 public:
  /// Throws Error(invalid_option) or Error(device_unavailable). The device does the matching.
  explicit KeypointTracker(const TrackOptions& options = {}, const DeviceOptions& device = {});
  ~KeypointTracker();
  KeypointTracker(KeypointTracker&&) noexcept;
  KeypointTracker& operator=(KeypointTracker&&) = delete;

  /// Takes the next frame, of this size and with these features, and returns the track of each keypoint, in their
  /// order, valid until the next call. A point without a partner in the frame before begins a track. Where the size is
  /// not that of the frame before, all do. Throws Error(invalid_argument) for features without descriptors, and
  /// Error(out_of_memory).
  std::span<const Track> follow(Features features, ImageSize size);

  [[nodiscard]] const TrackStatistics& statistics() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Draws keypoints and their tracks, one for each, into a copy of the frame, as RGB of 8 bits. Without tracks it is the
/// image of draw_keypoints. A track keeps its colour from frame to frame. Its tail is a line along its way; a
/// point that is seen for the first time is a small white circle.
Image draw_tracks(const ImageView& frame, std::span<const Keypoint> keypoints, std::span<const Track> tracks);

}  // namespace octavo
