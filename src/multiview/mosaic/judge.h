#pragma once

#include <optional>
#include <string>
#include <vector>

#include "multiview/mosaic/connect.h"

namespace octavo::mosaic {

/// The images with their statuses: placed if they are of the largest group, otherwise why not.
std::vector<MosaicImage> with_statuses(std::vector<MosaicImage> images, const Connected& connected);

/// Why there is no mosaic of these images, whose statuses are known.
std::string reason_of_none(const std::vector<MosaicImage>& images, const std::vector<MosaicPair>& pairs);

/// What is told of the pairs: with residuals and loop errors under the chosen model, if there is one.
std::vector<MosaicPair> judged_pairs(const Connected& connected, const std::vector<ImageSize>& sizes);

/// The largest loop error of the used pairs outside of the tree; none if there is no such pair.
std::optional<double> largest_loop_error(const Connected& connected, const std::vector<MosaicPair>& judged);

/// Warnings about the result, for people. `images` have their statuses, `pairs` are those of judged_pairs.
std::vector<std::string> warnings_of(const Connected& connected, const std::vector<MosaicImage>& images,
                                     const std::vector<MosaicPair>& pairs, double threshold);

}  // namespace octavo::mosaic
