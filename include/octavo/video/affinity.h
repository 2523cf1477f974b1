#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/option_table.h"
#include "octavo/progress.h"
#include "octavo/video/copy_segment.h"
#include "octavo/video/video_file.h"

// The affinity matrix of two clips (Fassold and Rosner 2015): how similar each frame of one is to each frame of the
// other. Copies show as diagonals, whose slope is the speed; scenes that were taken twice, or stand still, as blocks.

namespace OCTAVO_API octavo {

/// How the similarity of two frames is measured.
enum class AffinityMeasure {
  matches,  ///< the number of matched features that agree about a similarity (match_frames)
  vlad,     ///< the product of their VLADs by the general vocabulary, −1…1 (vlad_similarity)
};

/// Which frames of two clips are compared, and by what.
struct AffinityOptions {
  AffinityMeasure measure = AffinityMeasure::matches;
  std::int64_t every = 0;  ///< VideoOptions::every
  double fps = 2;          ///< VideoOptions::fps
  int max_features = 256;  ///< the largest number of features of a frame
  friend bool operator==(const AffinityOptions&, const AffinityOptions&) = default;
};

/// Name, range and meaning of every option.
template <>
const OptionTable<AffinityOptions>& option_table<AffinityOptions>();

/// Throws Error(invalid_option) for the first option out of range.
void validate(const AffinityOptions& options);

/// Two scenes that show the same: of most pairs of their frames the similarity is no chance. A scene of A, which ends
/// where the image changes wholly, or with the clip, and one of B.
struct AffinityBlock {
  double a_in = 0, a_out = 0;  ///< [second] from A's first frame, to the distance of the frames that were taken
  double b_in = 0, b_out = 0;  ///< [second] from B's first frame
  double share = 0;            ///< the share of the pairs of frames that are similar, `least_block_share` to 1
  friend bool operator==(const AffinityBlock&, const AffinityBlock&) = default;
};

/// Blocks have at least this share of similar pairs of frames, and each of their scenes this length [second].
inline constexpr double least_block_share = 0.5;
inline constexpr double least_block_seconds = 2;

/// The affinities of the frames of clip A to those of clip B.
struct AffinityMatrix {
  AffinityMeasure measure = AffinityMeasure::matches;
  std::vector<double> seconds_a;        ///< [second] the times of A's frames, from its first frame
  std::vector<double> seconds_b;        ///< [second] the times of B's frames
  std::vector<float> values;            ///< A's frames × B's frames, row by row. Junk has no similarity: 0
  std::vector<AffinityBlock> blocks{};  ///< by their begins in A, then B
  /// Of two frames that blocks count as similar: the least product of their VLADs, which one in a hundred pairs of
  /// frames that show different things exceeds. 0 for matches, which are similar where no chance explains them.
  double limit = 0;

  /// Of frame a of A and frame b of B.
  [[nodiscard]] float at(std::size_t a, std::size_t b) const { return values[a * seconds_b.size() + b]; }
};

/// The most pairs of frames of a matrix.
inline constexpr std::size_t most_affinities = 100'000'000;

/// Reads both clips and compares all pairs of their frames. Throws Error(invalid_option), what Video throws, and
/// Error(out_of_memory), also for more than `most_affinities`.
AffinityMatrix affinity_of(const std::filesystem::path& a, const std::filesystem::path& b,
                           const AffinityOptions& options = {}, const VideoOptions& video = {},
                           const DeviceOptions& device = {}, const ProgressSink& progress = {});

/// A part of a clip [second].
struct ClipPart {
  double in = 0, out = 0;
};

/// The affinities of parts of two clips whose signatures are known, such as those of an archive, by matches: no clip is
/// read. Frames are taken `fps` times a second. `isa` is DeviceOptions::isa. Throws Error(out_of_memory) for more than
/// `most_affinities`.
AffinityMatrix affinity_of(const ClipSignature& a, const ClipPart& part_of_a, const ClipSignature& b,
                           const ClipPart& part_of_b, double fps, const std::string& isa = "auto");

/// The matrix as colours, a pixel for each pair of frames (u8, RGB), without axes. Brightness is the square root of the
/// share of the greatest value. Throws Error(invalid_argument) for a matrix without frames.
Image affinity_colours(const AffinityMatrix& matrix);

/// The matrix as an image (u8, RGB): A's time runs down, B's to the right; bright is similar. The segments (of A as
/// the query) are drawn as lines, mirrored ones in another colour; blocks have a thin frame. Throws
/// Error(invalid_argument) for a matrix without frames.
Image draw_affinity(const AffinityMatrix& matrix, std::span<const CopySegment> segments = {});

/// A NumPy archive: affinity (A×B f32), seconds_a and seconds_b (f64), segments (N×5 f64: from and to in A, from and to
/// in B, 1 if mirrored), and blocks (N×5 f64: from and to in A, from and to in B, the share of similar pairs). The same
/// content gives the same bytes.
std::vector<std::byte> encode_npz_affinity(const AffinityMatrix& matrix, std::span<const CopySegment> segments = {});

}  // namespace octavo
