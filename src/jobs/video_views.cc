// A video is read twice: small, for the times of the frames that are taken, and at full size and in colour for these.

#include "jobs/video_views.h"

#include <fmt/core.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "octavo/video/video.h"
#include "video/frames/frames_at.h"
#include "video/frames/overlapping_views.h"

namespace octavo::jobs {
namespace {

MosaicInput input_of_frame(std::string name, const ImageView& image) {
  const auto png = std::make_shared<const std::vector<std::byte>>(encode_image("frame.png", image));
  return {name, [png, name] { return StoredImage(decode_image(*png, name, {.max_pixels = std::uint64_t{1} << 30})); }};
}

}  // namespace

void read_views(const std::filesystem::path& video, std::span<const double> times, std::uint64_t max_pixels,
                const TakeFrame& take, const ProgressSink& progress, const std::stop_token& stop) {
  VideoOptions options;
  options.max_pixels = max_pixels;
  options.size = 0;
  options.colour = true;
  std::vector<FrameRequest> requests;
  for (const double time : times) {
    requests.push_back({time, [&](const VideoFrame& frame, double seconds) {
                          take(frame.colour.empty() ? frame.grey.view() : frame.colour.view(), seconds);
                        }});
  }
  read_frames_at(video, std::move(requests), options, progress, stop);
}

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
  const auto take = [&](const ImageView& image, double seconds) {
    const double rounded = std::round(seconds * 100) / 100;
    inputs.push_back(input_of_frame(fmt::format("{} at {} s", video.string(), rounded), image));
  };
  read_views(video, times, max_pixels, take, progress);
  return inputs;
}

}  // namespace octavo::jobs
