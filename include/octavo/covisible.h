#pragma once

#include <optional>

#include "octavo/api.h"
#include "octavo/image.h"
#include "octavo/pair_scores.h"

// What both images of a pair show.

namespace OCTAVO_API octavo {

/// What both images show, as masks for Extractor::extract: u8, one channel, 255 at the pixels whose centres the truth
/// sends into the other image, 0 elsewhere. An image that is shown as a whole has none, nor have images of which only
/// correspondences are known. Throws Error(invalid_argument) as `check`.
struct Covisible {
  std::optional<Image> a, b;
};
Covisible covisible(const Truth& truth, ImageSize a, ImageSize b);

}  // namespace octavo
