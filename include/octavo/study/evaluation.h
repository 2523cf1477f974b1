#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/detectors.h"
#include "octavo/image_view.h"
#include "octavo/matcher.h"

// What an evaluation compares, and what it counts of corners and of crops.

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

// How good corners are, where a person has labelled them (Zhang and Sun, IJCV 128, 2020).

/// What was counted in images.
struct CornerScores {
  std::size_t labelled = 0, detected = 0;
  std::size_t matched = 0;      ///< pairs of a labelled and a detected corner, one to one
  double squared_distance = 0;  ///< of the matched pairs, their sum [pixel²]

  /// Labelled corners that nothing detected.
  [[nodiscard]] std::size_t missed() const { return labelled - matched; }
  /// Detected corners without a label.
  [[nodiscard]] std::size_t false_corners() const { return detected - matched; }
  /// matched / detected, 0…1; none without detected corners.
  [[nodiscard]] std::optional<double> precision() const;
  /// matched / labelled, 0…1; none without labelled corners.
  [[nodiscard]] std::optional<double> recall() const;
  /// The root of the mean squared distance of the matched pairs [pixel]; none without pairs.
  [[nodiscard]] std::optional<double> localisation_error() const;

  CornerScores& operator+=(const CornerScores& more);
};

/// The tolerance of Zhang and Sun. [pixel]
inline constexpr double usual_corner_tolerance = 4;

// What is counted where photographs are matched with crops of them (M. Sawada 2024, tables 6.4 to 6.7).

/// A match is correct if it is at most this far from its true place, in x and in y [pixel].
inline constexpr double crop_match_within = 4;

/// A change of the crop in which no point moves.
struct CropChange {
  std::string name = "clean";  ///< "clean", or the name of a change of which the true places are known
  double strength = 0;         ///< of the change, in its unit; 0 for "clean"
  friend bool operator==(const CropChange&, const CropChange&) = default;
};

/// clean, noise 15, contrast 0.5, 1.5 and 2, jpeg 50. Sawada's tables have the same kinds; their strengths are ours.
std::vector<CropChange> default_crop_changes();

/// A size and a change: one table of the experiment.
struct CropCase {
  ImageSize size;
  CropChange change;
};

/// What one configuration did with a photograph and its crop.
struct CropScores {
  int keypoints_photograph = 0, keypoints_crop = 0;
  int matches = 0, correct = 0;  ///< by the configuration's options; of these the correct ones (crop_match_within)
  /// Wall time of the two extractions and of the matching [s]. The extraction of the photograph is the same in all
  /// cases and done once. Each configuration works once before its first time is taken.
  double seconds_photograph = 0, seconds_crop = 0, seconds_match = 0;
};

/// The sums over the photographs, of one configuration in one case.
struct CropTotals {
  int photographs = 0;
  std::int64_t keypoints_photograph = 0, keypoints_crop = 0, matches = 0, correct = 0;
  double seconds = 0;  ///< of all three steps
};

/// correct / matches; 0 without matches.
double precision(const CropTotals& totals);

}  // namespace octavo
