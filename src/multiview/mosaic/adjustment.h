#pragma once

#include <vector>

#include "multiview/mosaic/frames.h"

namespace octavo::mosaic {

/// [pixel] Where Huber's loss of matched points becomes linear: at three deviations of a usual match.
inline constexpr double usual_huber = 1.5;

/// The parts of the loss by which its last step changes it: to compare models, and to place images.
inline constexpr double to_compare = 1e-5, to_place = 1e-7;

/// Changes the frames until the matched points of all pairs meet as well as possible: Levenberg's and Marquardt's
/// method on the distances in both images, with Huber's loss of `huber` pixels. The frame of `reference` stays, and
/// so do those of images without pairs. It ends with a step that changes the loss by less than a part `last_change`.
/// Returns the mean loss [pixel²].
double adjust(Frames& frames, const std::vector<PairPoints>& pairs, int reference, double huber,
              double last_change = to_place);

/// The standard deviation [pixel] of the corners of each image on the plane or the sphere of the reference image,
/// root mean square over the corners, that follows from the deviations of the matches. It is that of pixels of the
/// image. `far` for what the matches do not determine.
std::vector<double> uncertainty(const Frames& frames, const std::vector<PairPoints>& pairs, int reference, double huber,
                                const std::vector<ImageSize>& sizes);

/// How exactly the matches determine what images of one size share, per size: the standard deviations of `log_focal`
/// and `radial`; `far` for what the model does not have or holds. Errors of places are not independent: parallax, a
/// rolling shutter or clipped colours shift neighbours alike. So the worst is supposed, that an error of `error`
/// pixels, root mean square over the matches, has the pattern that the number itself makes. The deviation is `error`
/// divided by the effect [pixel] of the number on the matches that no other parameter can have.
struct LensDeviation {
  std::vector<double> log_focal, radial;
};
LensDeviation lens_deviation(const Frames& frames, const std::vector<PairPoints>& pairs, int reference, double huber,
                             double error);

}  // namespace octavo::mosaic
