#pragma once

#include <filesystem>

#include "octavo/progress.h"
#include "video/timelines/timelines.h"

namespace octavo::jobs {

/// Where timelines are written. Empty: they are not.
struct TimelineOutputs {
  std::filesystem::path otio, edl, fcpxml;  ///< `edl` is a folder, which is made
};

/// Writes them, each file whole or not at all. What no EDL can have is told to the context as failures. Throws
/// Error(file_error).
void write_timelines(const timelines::Timelines& timelines, const TimelineOutputs& outputs, const JobContext& context);

}  // namespace octavo::jobs
