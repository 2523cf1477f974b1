#pragma once

#include <string>

#include "engine/core/internal_api.h"
#include "octavo/video/video_archive.h"
#include "octavo/video/video_report.h"
#include "video/report/report_images.h"
#include "video/timelines/timelines.h"

// Reports as texts of files. The same report gives the same text. docs/video-search.md describes the formats. Bytes of
// file names that are not UTF-8 become U+FFFD.

namespace OCTAVO_INTERNAL_API octavo {

/// The report as a page: one HTML file, which needs a browser and no network. Its paths begin below the folder that all
/// files and the archive share.
std::string page_of(const VideoReport& report, const ReportImages& images);

/// The report as JSON: all that the page shows but images.
std::string json_of(const VideoReport& report);

/// A row for each segment, under a row with the names of the columns (RFC 4180).
std::string csv_of(const VideoReport& report);

/// A timeline for each clip: a track of the clip itself, and tracks of the clips that share segments with it, at the
/// times when they do. Pairs that a verdict settles are left out, and clips without pairs. Of a search only the queries
/// have timelines.
timelines::Timelines timelines_of(const VideoReport& report);

/// Frames that agree as JSON, as pages draw them: {"a": {"jpeg", "width", "height", "seconds"}, "b": {...}, "lines"}.
std::string json_of(const AgreeingFrames& why);

/// What the catalogue knows of a clip, but its files, as JSON.
std::string json_of(const ArchivedClip& clip);

}  // namespace octavo
