// The files of timelines that jobs on videos write.

#pragma once

#include <array>
#include <filesystem>
#include <optional>

namespace octavo::python {

/// OpenTimelineIO, FCPXML, and the folder of EDLs; none: there is none.
using Timelines = std::array<std::optional<std::filesystem::path>, 3>;

template <class Job>
void set_timelines(Job& job, const Timelines& timelines) {
  job.otio = timelines[0].value_or("");
  job.fcpxml = timelines[1].value_or("");
  job.edl = timelines[2].value_or("");
}

}  // namespace octavo::python
