#pragma once

#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "io/json/json.h"
#include "octavo/device.h"

namespace OCTAVO_INTERNAL_API octavo {

/// Times of runs, and the medians of their stages [ms], in seconds: {"median_seconds", "q1_seconds", "q3_seconds",
/// "run_seconds": [...], "stage_seconds": {"upload": ...}}.
Json times_json(const std::vector<double>& milliseconds, const std::vector<StageTime>& stages);

}  // namespace octavo
