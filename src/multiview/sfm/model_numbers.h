#pragma once

// The numbers of models, and of the pictures in them.

#include <filesystem>
#include <vector>

#include "octavo/multiview/sfm.h"

namespace octavo::sfm {

/// Reads the models in the folders `sparse/0`, `sparse/1` …, the one with most pictures first.
std::vector<SfmModelResult> read_models(const std::filesystem::path& sparse);

/// Computes the numbers of each model, and those of the pictures that are in it. The pictures are sorted by name.
/// Throws Error(file_error) for a model with a picture that the list does not have.
void measure_models(std::vector<SfmModelResult>& models, std::vector<SfmPictureResult>& pictures);

}  // namespace octavo::sfm
