#pragma once

#include <span>
#include <string>

#include "engine/core/internal_api.h"
#include "octavo/video/copy_segment.h"
#include "octavo/video/video_archive.h"
#include "octavo/video/video_report.h"
#include "video/report/report_images.h"

// Reports as texts of files. The same report gives the same text. docs/video-search.md describes the formats. Bytes of
// file names that are not UTF-8 become U+FFFD.

namespace OCTAVO_INTERNAL_API octavo {

/// The report as a page: one HTML file, which needs a browser and no network.
std::string page_of(const VideoReport& report, const ReportImages& images);

/// The report as JSON: all that the page shows but images.
std::string json_of(const VideoReport& report);

/// A row for each segment, under a row with the names of the columns (RFC 4180).
std::string csv_of(const VideoReport& report);

/// A timeline of OpenTimelineIO. One clip follows the other, each as a stack: a track of the clip itself, and tracks of
/// the clips that share segments with it, at the times when they do. Pairs that a verdict settles are left out, and
/// clips without pairs. Of a search only the queries have stacks.
std::string otio_of(const VideoReport& report);

/// What the catalogue knows of a clip, but its files, as JSON.
std::string json_of(const ArchivedClip& clip);

/// Segments as JSON. `a` and `b` are what the query and the other clip are called: "query" and "clip".
std::string json_of(std::span<const CopySegment> segments, const std::string& a, const std::string& b);

}  // namespace octavo
