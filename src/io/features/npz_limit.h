#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "octavo/keypoint.h"

namespace octavo::io {

/// The number of keypoints whose arrays fit an archive of less than 4 GiB, the limit of ZIP without extensions: 27
/// million. Larger archives are neither written nor read.
inline constexpr std::size_t most_npz_keypoints = (std::numeric_limits<std::uint32_t>::max() - 4096) /
                                                  (5 * sizeof(float) + 2 * sizeof(std::int32_t) + descriptor_length);

}  // namespace octavo::io
