#pragma once

#include <string>
#include <vector>

#include "octavo/video/copy_segment.h"

namespace octavo::jobs {

/// A table of the segments that clips share, with a line for the names of its columns.
std::string segments_text(const std::vector<CopySegment>& segments, const std::string& a, const std::string& b);

/// Why nothing was found of a clip, ": CLIP lasts 1.50 s, …", if it is shorter than the shortest segment; nothing of
/// others, and of images.
std::string too_short_text(const std::string& clip, double seconds, double min_seconds);

}  // namespace octavo::jobs
