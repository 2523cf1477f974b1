#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "study/evaluate/crops.h"
#include "study/evaluate/match_examples.h"

// Crops and their photographs with their matches, to look at, as figures 5.11 to 5.14 and 6.16 to 6.27 of M. Sawada
// 2024.

namespace OCTAVO_INTERNAL_API octavo {

/// Of each case the photographs with matches, ordered by the number of right matches, the sum over the pipelines:
/// `count` of them at equal steps, of one the median. A is the crop, B the photograph, the error of a match the larger
/// of its errors in x and in y. Finds and matches the features of these again; what cannot be read any more is left
/// out. `pair` is an index into CropComparison::pairs. The progress is that of the options.
std::vector<MatchExample> crop_examples(const CropComparison& comparison, std::span<const ImageFile> photographs,
                                        std::span<Pipeline> pipelines, const CropOptions& options, std::size_t count);

}  // namespace octavo
