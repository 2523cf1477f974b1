// An image and a mirror image. Descriptors of a mirrored patch have other numbers, so that what matches there is chance
// or symmetric in itself: between such images a search over many homographies finds wrong ones.

#pragma once

#include <optional>

#include "octavo/image_view.h"
#include "octavo/multiview/align.h"
#include "octavo/progress.h"

namespace octavo {

/// The alignment with B as a mirror shows it, brought back into B: a homography that turns it over, with the warning
/// `mirrored`. Features of B have the descriptors of the mirror image. `plain` has the features of A. None if it has
/// a doubt that a retry would be for, or does not replace `plain` (choice.h).
std::optional<Alignment> align_mirrored(const Alignment& plain, const ImageView& image_a, const ImageView& image_b,
                                        const AlignTools& tools, const RobustOptions& robust,
                                        const ProgressSink& progress);

}  // namespace octavo
