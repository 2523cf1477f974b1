#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "octavo/video_report.h"

namespace octavo::video_report {

using Json = nlohmann::ordered_json;

/// The text of JSON in UTF-8, on one line.
inline std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json as_json(const ArchivedClip& clip);
Json as_json(const CopySegment& segment, bool exact_ends, const std::string& a, const std::string& b);
Json as_json(const ReportPair& pair, const VideoReport& report);
Json as_json(const VideoReport& report);

/// How much larger the picture of b is, and by which angle it is turned, clockwise [degree].
struct Turn {
  double scale = 1, degrees = 0;
};
Turn turn_of(const Similarity& b_from_a);

/// The file by which a report names a clip.
std::filesystem::path file_of(const ReportClip& clip);

}  // namespace octavo::video_report
