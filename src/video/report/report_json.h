#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "engine/core/internal_api.h"
#include "io/json/json.h"
#include "octavo/video/archive_search.h"
#include "octavo/video/video_report.h"
#include "video/timelines/clip_frames.h"

// What reports and other commands tell of clips, segments and pairs, as JSON.

namespace OCTAVO_INTERNAL_API octavo {
namespace video_report {

/// The list `problems` with this sentence; empty if there is none.
Json problems_json(const std::string& problem);
/// The list `files`: the paths of the clip.
Json files_json(const ArchivedClip& clip);
Json as_json(std::span<const VideoWarning> warnings);
/// What the catalogue knows of a clip, but its files: `facts`.
Json as_json(const ArchivedClip& clip);
/// A clip of a segment: what it is called, "a" or "b", "query" or "clip", and its frames.
struct SegmentSide {
  std::string name;
  timelines::ClipFrames frames;
};
/// `a` is the query.
Json as_json(const CopySegment& segment, const SegmentSide& a, const SegmentSide& b);
Json as_json(std::span<const CopySegment> segments, const SegmentSide& a, const SegmentSide& b);
Json as_json(const RecurringSegment& recurring);
Json as_json(const ReportPair& pair, const VideoReport& report);
/// The list `groups`.
Json groups_json(const VideoReport& report);
Json as_json(const VideoReport& report);

/// How much larger the image of b is, as the root of its area, and by which angle it is turned, clockwise [degree].
struct Turn {
  double scale = 1, degrees = 0;
};
Turn turn_of(const Similarity& b_from_a);

/// The file by which a report names a clip.
std::filesystem::path file_of(const ReportClip& clip);

}  // namespace video_report
}  // namespace octavo
