#pragma once

#include <optional>
#include <span>
#include <vector>

#include "multiview/mosaic/intensities.h"
#include "multiview/mosaic/stored.h"
#include "octavo/extractor.h"
#include "octavo/multiview/mosaic.h"
#include "octavo/progress.h"

namespace octavo::mosaic {

/// What a plan keeps of the images, an entry for each: all that is told of them so far, and small copies.
struct Images {
  std::vector<MosaicImage> told;  ///< the statuses `failed`, `identical` and `redundant`, with reasons
  std::vector<ImageSize> sizes;
  std::vector<std::optional<double>> focal_lengths;  ///< [pixel] as EXIF data give them
  std::vector<Stored> small;                         ///< small_copy; empty of an image that failed
  std::vector<PixelType> depths;
};

/// Whether the image is to be placed: it has not failed, and shows what others do not.
bool is_wanted(const MosaicImage& image);

/// The images, and what finds their places, an entry for each; empty of an image that failed.
struct ReadImages {
  Images images;
  std::vector<Features> features;
  std::vector<GreyImage> greys;
};

/// Loads each image once. One that cannot be loaded, or is too large, says why; the others are a mosaic without it.
ReadImages read_images(std::span<const MosaicInput> inputs, Extractor& extractor, const ProgressSink& progress);

}  // namespace octavo::mosaic
