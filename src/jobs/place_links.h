#pragma once

#include <cstddef>
#include <vector>

#include "jobs/place_frames.h"
#include "multiview/places/same_place.h"

namespace octavo::jobs {

/// Two frames of different members that show one place, and why.
struct PlaceLink {
  std::size_t a = 0, b = 0;  ///< indices of frames, a < b
  places::PlaceEvidence evidence;
};

/// Matches each frame with those of other members that look most alike, and verifies the matches. By a, then b. After a
/// stop some are missing. Throws Error(device_unavailable) and Error(out_of_memory).
std::vector<PlaceLink> links_of(const std::vector<PlaceFrame>& frames, const PlaceJob& job, const JobContext& context);

}  // namespace octavo::jobs
