#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/pages/report_page.h"
#include "octavo/jobs/video_jobs.h"
#include "octavo/keypoint.h"

namespace octavo::jobs {

/// A frame that is matched: of a shot, or an image.
struct PlaceFrame {
  std::size_t member = 0;  ///< index into FoundPlaces::members
  double seconds = 0;      ///< of the clip
  ImageSize size;          ///< [pixel] of the image that the features are of
  Features features{};
  std::vector<std::int16_t> vlad{};
  PageImage image{};  ///< a smaller one, for a page; empty without one
};

/// Reads the files of the job: `found` gets the files that could be read, the members and what is left out. What fails
/// is told to the context. A stop ends this after the file in work.
std::vector<PlaceFrame> frames_of_places(const PlaceJob& job, FoundPlaces& found, const JobContext& context);

}  // namespace octavo::jobs
