#pragma once

// A model in metres, by the places of its images on the Earth.

#include <string>
#include <vector>

#include "multiview/sfm/gps_places.h"
#include "octavo/multiview/sfm.h"

namespace octavo::sfm {

/// Moves the model, and its files, so that its axes are metres east, north and up of `origin`, and fills `gps`. A model
/// for which that is not determined is left as it is, which `gps` tells. Throws Error(file_error) for files that cannot
/// be changed.
void georeference(SfmModelResult& result, const GpsPlaces& places, const GpsPlace& origin);

/// Sentences about what is doubtful in the places of a model, and about places that are far from the model.
std::vector<std::string> warnings_of(const SfmModelResult& result);

}  // namespace octavo::sfm
