// The ends of the times at which a clip shows an image.

#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "octavo/progress.h"
#include "octavo/video/copy_segment.h"

namespace octavo {

/// refine_ends for segments of an image (shows_image): reads the clip around their ends. A segment is left out if the
/// images differ where its features agree.
std::vector<CopySegment> refined_images(std::span<const CopySegment> segments, const std::filesystem::path& query,
                                        const std::filesystem::path& other, const VideoOptions& video,
                                        const ProgressSink& progress);

}  // namespace octavo
