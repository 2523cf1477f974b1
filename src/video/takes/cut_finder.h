#pragma once

// Cuts between the frames of a video, exact to the frame, and runs of junk.

#include <array>
#include <deque>
#include <filesystem>
#include <vector>

#include "octavo/image_view.h"
#include "octavo/progress.h"
#include "octavo/video/video_file.h"

namespace octavo {

/// A run of frames that are junk of one kind. [second] from the first frame
struct JunkRun {
  double in = 0, out = 0;
  Junk junk = Junk::none;
  friend bool operator==(const JunkRun&, const JunkRun&) = default;
};

/// Where the shots of a clip end.
struct ClipCuts {
  double seconds = 0;         ///< the length of the clip
  std::vector<double> cuts;   ///< [second] the times of the first frames after the cuts, ascending
  std::vector<JunkRun> junk;  ///< ascending
};

/// Takes the frames of a clip, one after the other.
class CutFinder {
 public:
  /// `seconds` is from the first frame.
  void add(const ImageView& grey, double seconds);
  /// The cuts, once all frames were added. `seconds` is the length of the clip.
  ClipCuts finish(double seconds);

 private:
  static constexpr int columns = 24, rows = 16;  // of the cells of a frame
  using Cells = std::array<float, std::size_t{columns} * rows>;
  [[nodiscard]] bool is_cut(std::size_t i) const;

  static constexpr std::size_t reach = 3;  // frames on either side of a cut that are compared with each other

  static Cells cells_of(const ImageView& grey);
  static double difference(const Cells& a, const Cells& b);
  void compare();

  std::deque<Cells> window_;          // the last 2·reach frames
  std::vector<double> times_;         // of all frames
  std::vector<Junk> junk_;            // of all frames
  std::vector<float> steps_, jumps_;  // of all frames: from the frame before, and across the time before the frame
};

/// Reads all frames of a video. Throws what Video throws.
ClipCuts find_cuts(const std::filesystem::path& clip, VideoOptions options, const ProgressSink& progress);

}  // namespace octavo
