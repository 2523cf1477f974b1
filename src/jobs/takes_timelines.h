#pragma once

#include "io/json/json.h"
#include "octavo/jobs/video_jobs.h"
#include "video/timelines/timelines.h"

namespace octavo::jobs {

/// A take as `octavo video takes --json` prints it.
Json json_of_take(const Take& take, const FoundTakes& found);

/// A timeline for each scene, at the rate of its reference: a track for each take, placed by its offset.
timelines::Timelines timelines_of(const FoundTakes& found);

/// The same takes one after the other, for lists that have one track: a timeline for each rate at which frames are
/// counted.
timelines::Timelines in_a_row(const timelines::Timelines& scenes);

}  // namespace octavo::jobs
