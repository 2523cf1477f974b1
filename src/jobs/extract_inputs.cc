// What an extraction reads: its images or videos, and how many images are in memory at a time.

#include <algorithm>
#include <iterator>
#include <string>
#include <thread>
#include <utility>

#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/jobs/image_jobs.h"
#include "octavo/video/video_file.h"

namespace octavo {

void find_inputs(ExtractJob& job, std::span<const std::string> places, bool recursive) {
  const auto videos = std::ranges::count_if(places, [](const std::string& place) { return looks_like_video(place); });
  job.are_videos = videos > 0;
  if (!job.are_videos) {
    ImageFiles found = find_images(places, recursive);
    job.images = std::move(found.images);
    job.problems = std::move(found.problems);
    return;
  }
  if (videos < std::ssize(places)) {
    throw Error(ErrorCode::invalid_option, "some inputs are videos and some are not; give videos a call of their own");
  }
  for (const std::filesystem::path clip : places) job.images.push_back({clip, clip.filename()});
}

std::size_t images_in_memory(const ExtractJob& job, const Extractor& extractor) {
  const auto in_flight = static_cast<std::size_t>(extractor.best_in_flight());
  // Those in flight, and as many that are being loaded.
  const std::size_t loading = std::min<std::size_t>(in_flight, std::max(std::thread::hardware_concurrency(), 1u));
  return std::min(in_flight + loading, job.images.size());
}

}  // namespace octavo
