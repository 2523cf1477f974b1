#pragma once

// What the inverted lists have of a clip: some features of some of its frames. The lists only have to name the clips,
// and about the time, that a query may be a copy of; the frames between are compared by their signatures.
//
// * Of each 2 seconds of a clip one frame is listed, the key frame: the one that says most, by the number of its
//   features and how long it stands; of equal ones the first. A still frame is listed once, however long it stands. Of
//   several that stand for 0.8 s or longer, as in a quick series of photographs, each is listed.
// * Of a key frame at most 160 features are listed. Each of the 4×4 cells of the frame gives its coarsest first, which
//   blur and a smaller image spare; then each gives its second one, and so on.
//
// Both follow from the signature alone.

#include <cstdint>
#include <vector>

#include "engine/retrieval/inverted_lists.h"
#include "octavo/video/clip_signature.h"

namespace octavo {

/// The indices of the key frames of a clip, ascending. They have features.
std::vector<std::uint32_t> key_frames(const ClipSignature& clip);

/// The features of a key frame that are listed, in the order of the frame.
std::vector<ListedFeature> listed_features(const FrameSignature& frame);

}  // namespace octavo
