#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "octavo/api.h"
#include "octavo/detectors.h"
#include "octavo/matcher.h"

// What an evaluation compares.

namespace OCTAVO_API octavo {

/// Options of Octavo, or the features of another program, under a name.
struct Configuration {
  std::string name;
  DetectorOptions detector{};  ///< how features are found; of another program's features, max_features alone counts
  MatchOptions match{};
  bool refine = false;  ///< judge matches by places that refine_matches has refined; needs images that are matched
  /// The folder with the features of each image, in a file that has the image's path below the root of the data set and
  /// the ending .npz (read_npz_features); empty: Octavo finds them.
  std::filesystem::path features{};
  std::string arguments{};  ///< the options as the user wrote them, for reports
};

/// Gives the configuration the budget by which all are compared, which a preset may have changed. Throws
/// Error(invalid_option) for a detector that has none, unless all features count (0).
void set_budget(Configuration& configuration, int max_features);

/// Throws Error(invalid_option) for no configuration, two of one name, options out of range, and features of a folder
/// that is not there.
void validate(std::span<const Configuration> configurations);

/// A JSON object with the configuration's name, its arguments or its folder of features, and its options;
/// `max_distance2` is null where there is no limit.
std::string json_of(const Configuration& configuration);

}  // namespace octavo
