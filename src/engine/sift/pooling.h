// Descriptors pooled over domain sizes (J. Dong and S. Soatto, "Domain-size pooling in local descriptors: DSP-SIFT",
// CVPR 2015). The size at which a point is found is not the size of the surface around it that two views share. So the
// descriptor is the mean of the descriptors of several windows, from smaller to larger ones than the usual window.
//
// Each window is described as SIFT describes its own: on the Gaussian image whose blur is nearest to the window's σ, on
// the logarithmic scale, in whichever octave that is. Small windows see fine images and large ones coarse images, and a
// window of any size costs as much as the usual one. The mean is that of the bytes of Lowe's descriptors (unit length,
// cut at 0.2, unit length), so that every size counts the same. It is an integer, whatever the order of the sizes.

#pragma once

#include <array>
#include <cstdint>

#include "engine/extract/oriented.h"
#include "engine/sift/sift_parts.h"
#include "octavo/keypoint.h"

namespace octavo {

#include "engine/sift/pooling_records.h"

/// The sums of the bytes of a keypoint's descriptors, one of each size.
using PooledBytes = std::array<std::int32_t, descriptor_length>;

/// The pooling that the parts ask for, in a scale space of this many octaves.
PoolingRecord pooling_of(const SiftParts& parts, int octaves);

/// The frame of a keypoint's window of size i.
WindowFrame window_frame(const PoolingRecord& pooling, const Oriented& keypoint, int i);

/// The frame of window i of those that vote for a point's orientations.
WindowFrame orientation_window(const PoolingRecord& pooling, Oriented point, int i);

/// True if orientations come from these windows; false if Lowe's window around the nearest pixel gives them.
bool has_orientation_windows(const DescriptionOptions& options);

}  // namespace octavo
