// A video is read twice: small, for the times of the frames that are taken, and at full size and in colour for these.

#include "jobs/video_views.h"

#include <fmt/core.h>

#include <cmath>
#include <memory>
#include <string>

#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "octavo/video/video.h"
#include "video/frames/frames_at.h"
#include "video/frames/overlapping_views.h"

namespace octavo::jobs {
namespace {

MosaicInput input_of_frame(std::string name, const VideoFrame& frame) {
  const ImageView image = frame.colour.empty() ? frame.grey.view() : frame.colour.view();
  const auto png = std::make_shared<const std::vector<std::byte>>(encode_image("frame.png", image));
  return {name, [png, name] { return StoredImage(decode_image(*png, name, {.max_pixels = std::uint64_t{1} << 30})); }};
}

}  // namespace

std::vector<MosaicInput> views_of_video(const std::filesystem::path& video, std::uint64_t max_pixels,
                                        const ProgressSink& progress) {
  constexpr std::size_t most_views = 300;  // it bounds memory, and time, as all pairs are matched
  VideoOptions options;
  options.max_pixels = max_pixels;
  const std::vector<double> times = video::times_of_overlapping_views(video, options, progress);
  if (times.size() > most_views) {
    throw Error(ErrorCode::file_error,
                fmt::format("'{}' shows {} views, more than {}: too many for a mosaic; a part of it, or images of it, "
                            "may do",
                            video.string(), times.size(), most_views));
  }
  std::vector<MosaicInput> inputs;
  std::vector<FrameRequest> requests;
  for (const double time : times) {
    requests.push_back({time, [&](const VideoFrame& frame, double seconds) {
                          const double rounded = std::round(seconds * 100) / 100;
                          inputs.push_back(input_of_frame(fmt::format("{} at {} s", video.string(), rounded), frame));
                        }});
  }
  options.size = 0;
  options.colour = true;
  read_frames_at(video, std::move(requests), options, progress);
  return inputs;
}

}  // namespace octavo::jobs
