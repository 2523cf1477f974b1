// The signature of a mirrored image. The point x becomes width − 1 − x, the angle θ becomes π − θ, and the descriptor
// is permuted, of which the word and the code follow (code_rotation.h).

#include <algorithm>
#include <utility>

#include "octavo/video/clip_signature.h"

namespace octavo {

FrameSignature mirrored(FrameSignature frame) {
  const int last = 64 * (frame.width - 1);  // [1/64 pixel]
  for (SignatureFeature& feature : frame.features) {
    feature.x = static_cast<std::uint16_t>(std::max(0, last - feature.x));
    feature.orientation = static_cast<std::uint8_t>(128 - feature.orientation);
    feature.word = mirrored_word(feature.word);
    feature.code = mirrored_code(feature.code);
  }
  for (std::uint16_t& word : frame.further_words) word = mirrored_word(word);
  return frame;
}

ClipSignature mirrored(ClipSignature clip) {
  for (FrameSignature& frame : clip.frames) frame = mirrored(std::move(frame));
  return clip;
}

}  // namespace octavo
