#pragma once

#include <span>
#include <vector>

#include "multiview/mosaic/intensities.h"
#include "multiview/mosaic/stored.h"
#include "octavo/multiview/mosaic.h"

namespace octavo::mosaic {

/// What a plan keeps of the pictures, an entry for each: all that is told of them so far, and small copies.
struct Pictures {
  std::vector<MosaicPicture> told;  ///< the fates `failed` and `identical`, with reasons; the others have none yet
  std::vector<ImageSize> sizes;
  std::vector<Stored> small;  ///< small_copy; empty of a picture that failed
  std::vector<PixelType> depths;
};

/// Whether the picture is to be placed: neither failed nor the same as an earlier one.
bool is_wanted(const MosaicPicture& picture);

/// The pictures, and what finds their places, an entry for each; empty of a picture that failed.
struct ReadPictures {
  Pictures pictures;
  std::vector<Features> features;
  std::vector<GreyPicture> greys;
};

/// Loads each picture once. One that cannot be loaded, or is too large, says why; the others are a mosaic without it.
ReadPictures read_pictures(std::span<const MosaicInput> inputs, Extractor& extractor, const ProgressSink& progress);

}  // namespace octavo::mosaic
