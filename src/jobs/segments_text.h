#pragma once

#include <string>
#include <vector>

#include "octavo/video/copy_segment.h"

namespace octavo::jobs {

/// A table of the segments that clips share, with a line for the names of its columns.
std::string segments_text(const std::vector<CopySegment>& segments, const std::string& a, const std::string& b);

}  // namespace octavo::jobs
