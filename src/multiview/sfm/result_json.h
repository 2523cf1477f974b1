#pragma once

#include <string>

#include "io/json/json.h"
#include "octavo/multiview/sfm.h"

namespace octavo::sfm {

Json as_json(const SfmResult& result);

}  // namespace octavo::sfm
