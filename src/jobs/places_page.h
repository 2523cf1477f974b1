#pragma once

#include <string>
#include <vector>

#include "jobs/place_frames.h"
#include "jobs/place_links.h"

namespace octavo::jobs {

/// The page: one HTML file, with the places, the frames of their members and the matches that join them.
std::string page_of(const FoundPlaces& found, const PlaceJob& job, const std::vector<PlaceFrame>& frames,
                    const std::vector<PlaceLink>& links);

}  // namespace octavo::jobs
