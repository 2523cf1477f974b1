#pragma once

#include <cstddef>
#include <optional>

#include "octavo/api.h"

// How good corners are, where a person has labelled them (Zhang and Sun, IJCV 128, 2020).

namespace OCTAVO_API octavo {

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

}  // namespace octavo
