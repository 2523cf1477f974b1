#pragma once

#include <optional>
#include <vector>

#include "multiview/mosaic/frames.h"
#include "multiview/mosaic/intensities.h"
#include "multiview/mosaic/pair_graph.h"

namespace octavo::mosaic {

/// Where the frames show pixels of one image in another.
PixelMap map_of(const Frames& frames, int a, int b, const std::vector<ImageSize>& sizes);

/// Aligns the two images of a pair by their intensities, beginning at its homography: changes the homography and adds
/// the places that agree within `threshold` pixels. A pair that is not sure, because chance explains its few matches
/// or because they are those of copies of even contrast, is used if and only if its intensities agree.
void align(VerifiedPair& pair, const GreyImage& grey_a, const GreyImage& grey_b, double threshold);

/// The homography near one, within about ten pixels of level 0, at which intensities agree; none if too few do.
std::optional<cv::Matx33d> homography_near(const cv::Matx33d& begin, const GreyImage& grey_a, const GreyImage& grey_b);

/// Compares the images of a group again, where the frames put them. Pairs that overlap and have no matches are added,
/// so that the group is not a chain.
void compare_neighbours(std::vector<VerifiedPair>& pairs, const Frames& frames, const std::vector<int>& group,
                        const std::vector<GreyImage>& greys, const std::vector<ImageSize>& sizes, double threshold);

/// Compares used pairs once more, both ways, where the images lie in the end: those that seem to show depth, and if
/// some image is in doubt, those that agreed in few places.
void compare_doubtful(std::vector<VerifiedPair>& pairs, const Frames& frames, const std::vector<GreyImage>& greys,
                      const std::vector<ImageSize>& sizes, double threshold);

}  // namespace octavo::mosaic
