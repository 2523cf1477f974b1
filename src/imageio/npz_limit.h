#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "octavo/keypoint.h"

namespace octavo::imageio {

/// As many keypoints as Octavo's own arrays hold in an archive of less than 4 GiB, which is ZIP's without extensions:
/// 27 million. Neither written nor read are more.
inline constexpr std::size_t most_npz_keypoints = (std::numeric_limits<std::uint32_t>::max() - 4096) /
                                                  (5 * sizeof(float) + 2 * sizeof(std::int32_t) + descriptor_length);

}  // namespace octavo::imageio
