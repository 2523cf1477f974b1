#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cli/match/match_call.h"

namespace octavo::cli {

/// The model of the matches that --verify asks for; nothing if it asks for none. Of an EssentialModel only the
/// essential matrix sets the pose. `a_size` and `b_size` are those of the pictures, if they are known; otherwise the
/// cameras have principal points. Throws Error.
std::optional<EssentialModel> verified(const MatchCall& call, const Features& a, std::optional<ImageSize> a_size,
                                       const Features& b, std::optional<ImageSize> b_size,
                                       std::span<const Match> matches);

/// Throws CLI::ValidationError if a camera has no principal point, and a picture whose centre would be it is not known:
/// `are_sizes_known` is false. Call it before the work.
void require_principal_points(const MatchCall& call, bool are_sizes_known);

/// The word of the model, e.g. "homography".
std::string_view model_word(Verify verify);

/// The object "verification" of the JSON.
nlohmann::ordered_json verification_json(Verify verify, const EssentialModel& model);

/// The array "matches" of the JSON.
nlohmann::ordered_json matches_json(const Features& a, const Features& b, std::span<const Match> matches,
                                    const std::optional<EssentialModel>& model);

/// Prints the model as text.
void print_verification(Verify verify, const EssentialModel& model);

}  // namespace octavo::cli
