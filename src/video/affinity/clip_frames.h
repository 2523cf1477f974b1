#pragma once

// The frames of a clip at equal distances in time, ready to be compared with those of another clip.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "octavo/retrieval.h"
#include "octavo/video/affinity.h"
#include "octavo/video/clip_signature.h"

namespace octavo {

/// Frames that repeat the one before are there too: so a copy at constant speed is a straight line of pairs.
struct ClipFrames {
  std::vector<double> seconds;                   ///< [second] the times of the frames, from the first frame of the clip
  double length = 0;                             ///< [second] of the clip
  double rate = 0;                               ///< frames a second that were taken; in the mean
  std::string isa = "auto";                      ///< DeviceOptions::isa, of comparisons with others
  std::vector<FrameSignature> signatures;        ///< of the frames
  std::vector<std::vector<std::int16_t>> vlads;  ///< of the frames, empty for junk; no list for matches
};

/// Reads clips. One reader must not be shared between threads.
class ClipFrameReader {
 public:
  /// Throws Error(invalid_option) and Error(device_unavailable).
  explicit ClipFrameReader(const AffinityOptions& options, const DeviceOptions& device = {});
  /// Throws what Video throws. `video` gives the decoder and its limits.
  ClipFrames read(const std::filesystem::path& clip, const VideoOptions& video, const ProgressSink& progress);

 private:
  AffinityOptions options_;
  std::string isa_;
  FrameSigner signer_;
  std::optional<VladEncoder> encoder_;
};

/// Frames of a signature, `fps` a second: at each time the frame that the clip shows then. Where the clip shows
/// nothing, as where its times leap, there is none. For matches.
ClipFrames frames_of(const ClipSignature& signature, double fps);

/// How similar two frames are, by the measure for which the frames were read. Junk has no similarity: 0.
struct FrameAffinity {
  float value = 0;  ///< the entry of the affinity matrix: the number of inliers, or the product of VLADs
  /// Comparable between frames: the inliers by the features of the frame with fewer, 0…1, or 0 if chance gives as many
  /// (FrameMatch::significance below 1) or they show a thing in the scene (FrameMatch::spread below an eighth); of
  /// VLADs their product.
  float share = 0;
};
FrameAffinity affinity_of(const ClipFrames& a, std::size_t i, const ClipFrames& b, std::size_t j);

/// Times [second] of frames before which the image changes wholly: none of the two frames before has at least this
/// share with one of the two from there on, though frames on either side have with each other. Hard cuts and dissolves
/// are found, to the distance of frames; cuts between takes of one camera position are not.
std::vector<double> changes_of(const ClipFrames& frames, double least_share);

}  // namespace octavo
