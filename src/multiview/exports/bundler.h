#pragma once

// What Bundler (Snavely, 2008) can hold: one focal length, the principal point in the middle of the image, two radial
// terms, and names without blanks.

#include <string>

#include "octavo/multiview/sfm.h"

namespace octavo::exports {

/// The name of the first camera model that Bundler has nothing like; empty if it has all.
std::string foreign_to_bundler(const SfmModel& model);

/// By how much Bundler's camera may move pixels of the model's [pixel], for a second focal length and the principal
/// point.
double bundler_error(const SfmModel& model);

/// Throws Error(file_error) for a name of an image that Bundler's list cannot hold.
void require_bundler_names(const SfmModel& model);

}  // namespace octavo::exports
