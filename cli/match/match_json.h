#pragma once

#include <optional>
#include <span>

#include "io/json/json.h"
#include "octavo/jobs/match_job.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"
#include "octavo/multiview/geometry.h"

namespace octavo::cli {

/// The object "verification" of the JSON.
Json verification_json(Verify verify, const EssentialModel& model);

/// The array "matches" of the JSON. `model` may be null.
Json matches_json(const Features& a, const Features& b, std::span<const Match> matches, const EssentialModel* model);

/// Prints the model as text.
void print_verification(Verify verify, const EssentialModel& model);

}  // namespace octavo::cli
