#pragma once

// What speaks against a model, or for there being none: pairs without depth, focal lengths that no lens has.

#include <span>
#include <string>
#include <vector>

#include "octavo/multiview/sfm.h"

namespace octavo::sfm {

/// Whether homographies explain nearly all verified matches of the pairs, as they do where the camera only turned, the
/// scene is flat, or the images of a pair are from nearly one place.
bool are_without_depth(std::span<const SfmPair> pairs);

/// Why pairs without depth give no model, and what to do; empty for others.
std::string lack_of_depth(std::span<const SfmPair> pairs);

/// Sentences about what is doubtful of a model. Its images are known by measure_models().
std::vector<std::string> doubts_of(const SfmModelResult& model, std::span<const SfmImageResult> images,
                                   std::span<const SfmPair> pairs);

}  // namespace octavo::sfm
