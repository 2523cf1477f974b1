#pragma once

// What a clip asks the inverted lists: some of its frames, each with its features and their words.

#include <cstdint>
#include <vector>

#include "engine/retrieval/inverted_lists.h"
#include "octavo/video/clip_signature.h"

namespace octavo {

/// The indices of the frames that ask, ascending: those with features, at most one in 0.35 s. A key frame of a clip
/// stands for 2 seconds, and a copy of it shows much the same a fifth of a second later.
std::vector<std::int32_t> asking_frames(const ClipSignature& query);

/// The features of a frame that asks.
class FrameQuestion {
 public:
  explicit FrameQuestion(const FrameSignature& frame);
  FrameQuestion(const FrameQuestion&) = delete;
  FrameQuestion& operator=(const FrameQuestion&) = delete;
  [[nodiscard]] const std::vector<QueryFeature>& features() const { return features_; }

 private:
  std::vector<std::uint16_t> words_;
  std::vector<QueryFeature> features_;  // their words are in words_
};

}  // namespace octavo
