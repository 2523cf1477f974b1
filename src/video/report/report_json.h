#pragma once

#include <string>

#include "io/json/json.h"
#include "video/report/video_report.h"

namespace octavo::video_report {

Json as_json(const ArchivedClip& clip);
Json as_json(const CopySegment& segment, bool exact_ends, const std::string& a, const std::string& b);
Json as_json(const ReportPair& pair, const VideoReport& report);
Json as_json(const VideoReport& report);

/// How much larger the image of b is, and by which angle it is turned, clockwise [degree].
struct Turn {
  double scale = 1, degrees = 0;
};
Turn turn_of(const Similarity& b_from_a);

/// The file by which a report names a clip.
std::filesystem::path file_of(const ReportClip& clip);

}  // namespace octavo::video_report
