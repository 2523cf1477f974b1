#pragma once

#include <functional>
#include <string>

#include "cli/match/match_call.h"
#include "cli/match/pair_plan.h"

namespace octavo::cli {

class Interruption;
class Progress;

/// Is called with a sentence for each picture or pair that fails.
using OnFailure = std::function<void(const std::string& sentence)>;

/// Computes or reads the features of the pictures that a pair needs. They stay in memory. A picture that fails has
/// none. An interruption ends this after the picture in work. Throws Error(out_of_memory) for more than
/// --feature-memory.
void load_features(const MatchCall& call, const DeviceOptions& device, PairPlan& plan, Progress& progress,
                   const Interruption& interruption, const OnFailure& fail);

}  // namespace octavo::cli
