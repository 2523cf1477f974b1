#pragma once

// Segments that two clips share, as the commands print them.

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "json/json.h"
#include "octavo/copy_segment.h"
#include "octavo/video_archive.h"

namespace octavo::cli {

/// Segments, and whether their ends are exact to the frame.
struct ShownSegments {
  std::vector<CopySegment> segments;
  bool are_exact = false;
};

/// Takes the sentence of an error that leaves the other results good.
using Complain = std::function<void(const std::string& sentence)>;

/// Passes the sentences on.
LostClip lost_to(Complain complain);

/// Does something that reads files, and complains of one that cannot be read. Returns whether all could.
bool does_read(const std::function<void()>& work, const Complain& complain);

/// The segments with exact ends, for which both clips are decoded again; or as they are if one of the files is an empty
/// path, or cannot be read, of which it complains. Throws what else refine_ends throws.
ShownSegments with_exact_ends(const std::vector<CopySegment>& segments, const std::filesystem::path& query,
                              const std::filesystem::path& other, const VideoOptions& video, const Complain& complain);

/// A file of the clip that is still as one of the archives knows it, or an empty path.
std::filesystem::path readable_file(const ArchivedClip& clip, std::span<const VideoArchive> archives);

/// The segments as JSON. `a` and `b` are what the query and the other clip are called: "query" and "clip".
Json segments_json(const ShownSegments& shown, const std::string& a, const std::string& b);

/// A table of the segments, with a line for the names of its columns.
std::string segments_text(const ShownSegments& shown, const std::string& a, const std::string& b);

}  // namespace octavo::cli
