#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "octavo/video/video.h"

namespace octavo {

/// Opens what "-" stands for. Both may be called once.
struct StandardInput {
  std::function<std::vector<std::byte>()> image;  ///< the bytes of its file
  std::function<Video(const VideoOptions&)> video;
};

}  // namespace octavo
