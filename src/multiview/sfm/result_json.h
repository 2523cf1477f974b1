#pragma once

#include <cstdint>

#include "io/json/json.h"
#include "octavo/multiview/sfm.h"

namespace octavo::sfm {

Json as_json(const SfmResult& result);

/// How a model lies on the Earth, as in "models" and in the file gps.json.
Json gps_json(const SfmGps& gps);

/// A camera of a model.
Json camera_json(std::uint32_t id, const SfmCamera& camera);

/// What became of an image.
Json image_json(const SfmImageResult& image);

}  // namespace octavo::sfm
