#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/image_view.h"

// What is counted where photographs are matched with crops of them (M. Sawada 2024, tables 6.4 to 6.7).

namespace OCTAVO_API octavo {

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
