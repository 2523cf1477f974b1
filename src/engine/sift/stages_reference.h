// The stages after the extrema as plain loops over a level's pixels: the definition.

#pragma once

#include "engine/core/internal_api.h"
#include "engine/core/plane.h"
#include "engine/extract/oriented.h"
#include "engine/sift/affine.h"
#include "engine/sift/descriptor.h"
#include "engine/sift/orientation.h"
#include "engine/sift/pooling.h"

namespace octavo {
namespace OCTAVO_INTERNAL_API reference {

/// Votes of the window around an extremum of σ = `scale`, on the Gaussian image of its layer.
OrientationHistogram orientation_histogram(const Plane& level, const Extremum& e, float scale);

/// Adds the votes of an upright window of any size and shape, on its image.
void add_votes(const Plane& level, const WindowFrame& window, OrientationHistogram& votes);

/// The second moments of a window in this shape, on its image.
Moments second_moments(const Plane& level, const ShapeWindow& window, const Shape& shape);

/// Votes of the window around a keypoint, on the Gaussian image of its layer.
DescriptorHistogram descriptor_histogram(const Plane& level, const Oriented& keypoint);

/// Votes of a window of any size, on its image.
DescriptorHistogram descriptor_histogram(const Plane& level, const WindowFrame& window);

/// Converts the votes to the 128 bytes of a descriptor.
void finish_descriptor(const DescriptorHistogram& histogram, DescriptorKind kind, std::uint8_t* out);

/// Converts the sums of the bytes of descriptors to the 128 bytes of their mean.
void finish_pooled(const PooledBytes& sums, DescriptorKind kind, std::uint8_t* out);

}  // namespace reference
}  // namespace octavo
