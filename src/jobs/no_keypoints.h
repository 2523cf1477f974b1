// The warning of an image without keypoints, which says why there may be none.

#pragma once

#include <fmt/core.h>

#include <filesystem>

#include "io/images/mask.h"
#include "octavo/image_view.h"
#include "octavo/progress.h"

namespace octavo::jobs {

/// `is_masked`: see why_none_shown.
inline void warn_of_no_keypoints(const JobContext& context, const std::filesystem::path& file, const ImageView& image,
                                 bool is_masked) {
  report_warning(context, fmt::format("{}: no keypoints: {}", file.string(), why_none_shown(image, is_masked)));
}

}  // namespace octavo::jobs
