#pragma once

// Similarities, and the model that one moves.

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "octavo/multiview/sfm.h"

namespace octavo::sfm {

using Place3 = std::array<double, 3>;

/// The place that the similarity makes of `place`.
Place3 moved(const Similarity3& similarity, const Place3& place);

/// A similarity that most of the pairs of places fit.
struct FittedSimilarity {
  Similarity3 b_from_a;
  std::vector<bool> is_used;  ///< of each pair: it is no outlier
};

/// Fits the similarity that brings the places `a` to `b`, which are as many, at least 3: the one that leaves the least
/// residual for a bit more than half of the pairs, then by least squares over those that it misses by not many times
/// that residual, or by `least` if that is more. None if the places `a` are one. The same places give the same result.
std::optional<FittedSimilarity> fit_similarity(std::span<const Place3> a, std::span<const Place3> b, double least);

/// Root mean squares of places along the axes of their spread, the largest first.
Place3 extents_of(std::span<const Place3> places);

/// Moves a model in binary files, with the rigs and frames of COLMAP 4. Throws Error(file_error) for files that are
/// damaged or missing, or cannot be written.
void move_model(const std::filesystem::path& folder, const Similarity3& similarity);

}  // namespace octavo::sfm
