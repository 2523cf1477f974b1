#pragma once

// Which pictures `octavo match` takes of a folder, a pattern or a list, and which of them it matches.

#include <optional>
#include <string>
#include <vector>

#include "cli/match/match_call.h"
#include "cli/match/verification.h"
#include "octavo/keypoint.h"
#include "octavo/picture_pairs.h"
#include "octavo/pictures.h"

namespace octavo::cli {

/// A picture of many, or its stored features.
struct PlannedPicture {
  PictureFile file;
  std::string name{};  ///< in lists of pairs and outputs: that of the picture, also for stored features
  PictureFacts facts{};
  std::optional<Features> features{};  ///< none: not yet loaded, not needed, or failed
};

/// The pictures, and which of them are paired.
struct PairPlan {
  std::vector<PlannedPicture> pictures;
  std::vector<PicturePair> pairs;     ///< by ascending first index
  std::vector<std::string> problems;  ///< a sentence for each folder, line of --pairs or pair that is left out
};

/// Whether the features of a picture are read from a file.
bool is_stored(const PlannedPicture& picture);

/// Throws Error(file_error) for a place without pictures and features, WrongCall for two files of one name.
PairPlan plan_pairs(const MatchCall& call);

}  // namespace octavo::cli
