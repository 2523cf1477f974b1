#pragma once

// Segments that two clips share, as the commands print them.

#include <string>
#include <vector>

#include "io/json/json.h"
#include "octavo/video/copy_segment.h"

namespace octavo::cli {

/// Segments, and whether their ends are exact to the frame.
struct ShownSegments {
  std::vector<CopySegment> segments;
  bool are_exact = false;
};

/// The segments as JSON. `a` and `b` are what the query and the other clip are called: "query" and "clip".
Json segments_json(const ShownSegments& shown, const std::string& a, const std::string& b);

/// A table of the segments, with a line for the names of its columns.
std::string segments_text(const ShownSegments& shown, const std::string& a, const std::string& b);

}  // namespace octavo::cli
