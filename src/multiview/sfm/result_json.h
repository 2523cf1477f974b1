#pragma once

#include <string>

#include "io/json/json.h"
#include "octavo/multiview/sfm.h"

namespace octavo::sfm {

Json as_json(const SfmResult& result);

/// How a model lies on the Earth, as in "models" and in the file gps.json.
Json gps_json(const SfmGps& gps);

}  // namespace octavo::sfm
