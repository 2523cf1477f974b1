#pragma once

#include <span>

#include "io/pages/report_page.h"
#include "octavo/study/evaluation.h"
#include "study/evaluate/match_examples.h"

namespace octavo::evaluation {

/// The images of an example side by side, once for each configuration, with its matches as lines. A match is right if
/// its error is at most `right_within`. Of many matches of one kind every n-th is drawn. The texts but the captions of
/// the layers are left to the caller.
PageImagePair image_pair_of(const MatchExample& example, std::span<const Configuration> configurations,
                            double right_within);

}  // namespace octavo::evaluation
