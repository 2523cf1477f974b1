// The stages after the extrema as plain loops over a level's pixels: the definition.

#pragma once

#include "core/plane.h"
#include "extract/oriented.h"
#include "sift/descriptor.h"
#include "sift/orientation.h"

namespace octavo::reference {

/// Votes of the window around an extremum of σ = `scale`, on the Gaussian image of its layer.
OrientationHistogram orientation_histogram(const Plane& level, const Extremum& e, float scale);

/// Votes of the window around a keypoint, on the Gaussian image of its layer.
DescriptorHistogram descriptor_histogram(const Plane& level, const Oriented& keypoint);

/// Converts the votes to the 128 bytes of a descriptor.
void finish_descriptor(const DescriptorHistogram& histogram, DescriptorKind kind, std::uint8_t* out);

}  // namespace octavo::reference
