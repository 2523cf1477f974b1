// Static features stand still for 10 seconds while the rest of the image moves. They belong to the film's packaging and
// not to what it shows: a station's logo, a banner, a border, a sentence at the bottom. Two clips of one station share
// them, so they would make the clips copies of each other. They are taken out of the signatures (docs/video-search.md).
// What a still camera shows stands still too, but then most features do: these frames keep all of theirs.

#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "octavo/video/clip_signature.h"

namespace octavo {

/// Takes the signatures of a clip's frames in the order of time, and gives them back without features that stand still.
/// It keeps the frames of the last 10 seconds, since a feature may still turn out to stand.
class StaticFeatures {
 public:
  void add(FrameSignature frame);
  /// The next frame of which all is known; none before more frames are added.
  std::optional<FrameSignature> take();
  /// After the last frame: all that were added can be taken.
  void finish() { is_finished_ = true; }

 private:
  // A feature that is seen again at its place in later frames.
  struct Track {
    SignatureFeature latest;
    double begin = 0, end = 0;  // [second]
  };
  struct Waiting {
    FrameSignature frame;
    std::vector<std::shared_ptr<const Track>> tracks;  // of each feature
  };

  std::shared_ptr<Track> track_of(const SignatureFeature& feature, const FrameSignature& frame) const;

  std::vector<std::shared_ptr<Track>> live_;
  std::deque<Waiting> waiting_;
  double latest_ = 0;  // [second] the end of the last frame
  bool is_finished_ = false;
};

}  // namespace octavo
