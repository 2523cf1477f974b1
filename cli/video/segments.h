#pragma once

// Segments that two clips share, as the commands print them.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "octavo/copy_segment.h"
#include "octavo/video_archive.h"

namespace octavo::cli {

/// Segments, and whether their ends are exact to the frame.
struct ShownSegments {
  std::vector<CopySegment> segments;
  bool are_exact = false;
};

/// The segments with exact ends, for which both clips are decoded again; or as they are if one of the files is an empty
/// path. Throws as refine_ends does.
ShownSegments with_exact_ends(const std::vector<CopySegment>& segments, const std::filesystem::path& query,
                              const std::filesystem::path& other, const VideoOptions& video);

/// A file of the clip that is still there, or an empty path.
std::filesystem::path readable_file(const ArchivedClip& clip);

/// The segments as JSON. `a` and `b` are what the query and the other clip are called: "query" and "clip".
nlohmann::ordered_json segments_json(const ShownSegments& shown, const std::string& a, const std::string& b);

/// A table of the segments, with a line for the names of its columns.
std::string segments_text(const ShownSegments& shown, const std::string& a, const std::string& b);

}  // namespace octavo::cli
