#include "video/archive/list_query.h"

#include <cstddef>
#include <limits>
#include <span>

namespace octavo {

std::vector<std::int32_t> asking_frames(const ClipSignature& query) {
  constexpr double distance = 0.35;  // [second]
  std::vector<std::int32_t> frames;
  double last = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < query.frames.size(); ++i) {
    if (query.frames[i].features.empty() || query.frames[i].seconds - last < distance) continue;
    last = query.frames[i].seconds;
    frames.push_back(static_cast<std::int32_t>(i));
  }
  return frames;
}

FrameQuestion::FrameQuestion(const FrameSignature& frame) {
  const std::size_t further = frame.features.empty() ? 0 : frame.further_words.size() / frame.features.size();
  for (std::size_t i = 0; i < frame.features.size(); ++i) {
    words_.push_back(frame.features[i].word);
    const auto first = frame.further_words.begin() + static_cast<std::ptrdiff_t>(i * further);
    words_.insert(words_.end(), first, first + static_cast<std::ptrdiff_t>(further));
  }
  for (std::size_t i = 0; i < frame.features.size(); ++i) {
    const SignatureFeature& one = frame.features[i];
    features_.push_back({.words = std::span(words_).subspan(i * (further + 1), further + 1),
                         .code = one.code[0],
                         .scale = one.scale,
                         .orientation = one.orientation});
  }
}

}  // namespace octavo
