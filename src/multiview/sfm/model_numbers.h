#pragma once

// The numbers of models, and of the images in them.

#include <filesystem>
#include <vector>

#include "octavo/multiview/sfm.h"

namespace octavo::sfm {

/// Reads the models in the folders `sparse/0`, `sparse/1` …, the one with most images first. One without images,
/// or with fewer than least_points points, is none.
std::vector<SfmModelResult> read_models(const std::filesystem::path& sparse);

/// Computes the numbers of each model, and those of the images that are in it. The images are sorted by name.
/// Throws Error(file_error) for a model with an image that the list does not have.
void measure_models(std::vector<SfmModelResult>& models, std::vector<SfmImageResult>& images);

}  // namespace octavo::sfm
