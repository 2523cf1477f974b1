#pragma once

#include "engine/core/internal_api.h"
#include "octavo/image.h"
#include "study/evaluate/evaluate.h"

namespace OCTAVO_INTERNAL_API octavo {

/// An image of a scene whose geometry is known.
struct KnownView {
  Image image;
  Truth truth;  ///< from the first image of the scene to this one
};

}  // namespace octavo
