#pragma once

#include <filesystem>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/progress.h"
#include "octavo/video/archive_search.h"
#include "octavo/video/video.h"
#include "octavo/video/video_report.h"

// A report of an archive, as files for people and programs.

namespace OCTAVO_API octavo {

struct ReportJob {
  std::filesystem::path archive;               ///< the folder
  std::vector<std::filesystem::path> clips{};  ///< to search for; none: the archive is compared with itself
  /// The files, of which one at least is given: the page (.html, .htm), the table (.csv), JSON (.json), and the
  /// timeline
  /// (.otio).
  std::filesystem::path output{}, csv{}, json_output{}, otio{};
  ReportOptions report{};
  SearchOptions search{};  ///< without `isa`, which is that of the device
  VideoOptions video{};
  DeviceOptions device{};
};

/// Writes the files, each whole or not at all. A clip that is searched for, or of the archive, and cannot be read is
/// told to the context, and the others are in the report. Throws, before the work, Error(invalid_option) and
/// Error(file_error) for names that do not fit, are those of clips, or cannot be written, and for a folder without an
/// archive; and what report_duplicates and report_search throw.
void write_report(const ReportJob& job, const JobContext& context = {});

}  // namespace octavo
