// Segments in which the image moves within the other one. Features of two clips of one place agree too, as each frame
// may lie elsewhere, and the frames around the ends have no one place by which they could be compared.

#pragma once

#include <filesystem>

#include "octavo/progress.h"
#include "octavo/video/copy_segment.h"
#include "octavo/video/video_file.h"

namespace octavo {

/// Whether both clips show one image at most of some moments of a segment, each at a place of its own; true where
/// features tell no place. Throws what Video throws.
bool shows_images_of(const CopySegment& shaken, const std::filesystem::path& query, const std::filesystem::path& other,
                     const VideoOptions& video, const ProgressSink& progress = {});

}  // namespace octavo
