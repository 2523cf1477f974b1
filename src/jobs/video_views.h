#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "octavo/multiview/mosaic.h"
#include "octavo/progress.h"

namespace octavo::jobs {

/// Is given a frame at full size, in colour if the video has colours, and its time from the first frame [second].
using TakeFrame = std::function<void(const ImageView& image, double seconds)>;

/// Reads the frames at these times [second, from the first frame]. After a stop some are missing. Throws what Video
/// throws.
void read_views(const std::filesystem::path& video, std::span<const double> times, std::uint64_t max_pixels,
                const TakeFrame& take, const ProgressSink& progress, const std::stop_token& stop = {});

/// The frames of a video that show all of what it shows (video/frames/overlapping_views.h), as inputs of a mosaic, in
/// the order of time, named "pan.mp4 at 3.2 s". They are in memory as the bytes of PNG files. Throws Error(file_error),
/// also for a video of more than 300 views, and what else Video throws.
std::vector<MosaicInput> views_of_video(const std::filesystem::path& video, std::uint64_t max_pixels,
                                        const ProgressSink& progress);

}  // namespace octavo::jobs
