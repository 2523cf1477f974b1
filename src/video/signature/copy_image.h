#pragma once

#include <filesystem>

#include "engine/core/internal_api.h"
#include "octavo/image_view.h"
#include "octavo/video/copy_segment.h"
#include "octavo/video/video_file.h"

namespace OCTAVO_INTERNAL_API octavo {

/// Why a segment was found: a frame of the query and the frame that the other clip shows then, side by side, with a
/// line for each pair of features that agrees with the segment's similarity (u8, RGB). Of three moments in the segment
/// the one with most lines is drawn. Decodes both clips up to there; `video` gives the decoder and its limits. Throws
/// what Video throws, and Error(file_error) if a clip ends before the segment.
Image draw_copy(const CopySegment& segment, const std::filesystem::path& query, const std::filesystem::path& other,
                const VideoOptions& video = {});

}  // namespace octavo
