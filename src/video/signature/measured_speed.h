// The speed of segments by their images. Features of a slow scene match a little earlier and later too, so a line of a
// false speed may pass through more of them than the true one: over frames before and after a copy, or over a freeze.

#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "octavo/progress.h"
#include "octavo/video/copy_segment.h"
#include "octavo/video/video_file.h"

namespace octavo {

struct MeasuredSegment {
  CopySegment segment;
  /// What it is at another speed than 1 that agrees with the images as well; none if they tell the speed.
  std::optional<CopySegment> otherwise{};
};

/// The segments, but in place of one at another speed than 1 its parts at speed 1, where the frames around some moments
/// of it do not agree clearly better with the other one. The ends of parts are coarse. Stills and segments that shake
/// or run backwards are not measured. Throws what Video throws.
std::vector<MeasuredSegment> at_measured_speeds(std::span<const CopySegment> segments,
                                                const std::filesystem::path& query, const std::filesystem::path& other,
                                                const VideoOptions& video, const ProgressSink& progress = {});

}  // namespace octavo
