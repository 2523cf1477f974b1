// Descriptions of keypoints that the caller gives, by SIFT's engine on any device.

#pragma once

#include <memory>

#include "engine/extract/describer.h"
#include "engine/extract/detector.h"
#include "engine/sift/engine.h"

namespace octavo {

/// How the features of a description name their level.
enum class LevelNames {
  octave_and_layer,
  none,  ///< octave 0 and layer 0: the detector has one Gaussian image
};

/// `engine` has the same parts, of options that are valid and find keypoints.
std::unique_ptr<Describer> make_sift_describer(const SiftParts& parts, std::unique_ptr<SiftEngine> engine,
                                               LevelNames names);

/// Makes each device of the detector describe keypoints; a GPU is shared with the detector.
void describe_by_sift(DetectorOnDevices& detector, const SiftParts& parts, LevelNames names);

}  // namespace octavo
