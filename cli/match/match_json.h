#pragma once

#include <optional>
#include <span>

#include "io/json/json.h"
#include "octavo/jobs/match_jobs.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"
#include "octavo/multiview/geometry.h"

namespace octavo::cli {

/// A matched pair as an object. `seconds` are those of the matching, if they are known.
Json pair_json(Verify verify, const MatchedImages& pair, std::optional<double> seconds = {});

/// Prints the model as text.
void print_verification(Verify verify, const EssentialModel& model);

}  // namespace octavo::cli
