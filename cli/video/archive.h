#pragma once

// What the commands of archives of clips have in common.

#include <string>
#include <vector>

#include "octavo/video/archive_search.h"
#include "octavo/video/copy_segment.h"
#include "octavo/video/video_archive.h"

namespace octavo::cli {

/// A table of the segments that clips share, with a line for the names of its columns.
std::string segments_text(const std::vector<CopySegment>& segments, const std::string& a, const std::string& b);

/// "1:02:03", rounded to a second.
std::string clock_text(double seconds);

/// "8.1 MB".
std::string bytes_text(double bytes);

}  // namespace octavo::cli
