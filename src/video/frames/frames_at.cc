// Frames at times. A frame is seen until the next one begins, so it is known only when that one has come.

#include "video/frames/frames_at.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "video/frames/video_parts.h"

namespace octavo {

namespace {

// Reads the frames of requests in the order of time, which lie in these parts.
void read_parts(const std::filesystem::path& clip, std::span<const FrameRequest> requests,
                std::vector<video::Part> parts, const VideoOptions& options, const ProgressSink& progress,
                const std::stop_token& stop) {
  constexpr double rounding = 1e-4;  // [second] a time that was computed in another way is the same
  video::VideoParts video(clip, options, std::move(parts));
  std::optional<VideoFrame> seen = video.next();
  if (!seen) return;
  const double first = seen->seconds;
  const std::string stage = "images of " + clip.filename().string();
  std::size_t next = 0;
  while (next < requests.size() && !stop.stop_requested()) {
    std::optional<VideoFrame> after = video.next();
    double until = after ? after->seconds - first : video.seconds_done();
    if (video.is_image()) until = std::numeric_limits<double>::infinity();
    for (; next < requests.size() && requests[next].seconds + rounding < until; ++next) {
      requests[next].take(*seen, seen->seconds - first);
    }
    if (!after) return;
    seen = std::move(after);
    report(progress, stage, static_cast<std::size_t>(std::max(0.0, video.seconds_done())),
           static_cast<std::size_t>(std::max(0.0, requests.back().seconds)) + 1);
  }
}

}  // namespace

void read_frames_at(const std::filesystem::path& clip, std::vector<FrameRequest> requests, const VideoOptions& options,
                    const ProgressSink& progress, const std::stop_token& stop) {
  std::ranges::stable_sort(requests, {}, &FrameRequest::seconds);
  std::vector<video::Part> parts;
  for (const FrameRequest& request : requests) parts.push_back({request.seconds - 0.001, request.seconds + 0.001});
  parts = video::merged(std::move(parts));
  if (parts.size() > video::most_parts) parts = video::merged(std::move(parts), video::far_apart);
  std::span<const FrameRequest> left = requests;
  for (std::size_t begin = 0; begin < parts.size(); begin += video::most_parts) {
    const auto first = parts.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto end = first + static_cast<std::ptrdiff_t>(std::min(video::most_parts, parts.size() - begin));
    const auto after = std::ranges::upper_bound(left, (end - 1)->to, {}, &FrameRequest::seconds);
    const auto count = static_cast<std::size_t>(after - left.begin());
    read_parts(clip, left.first(count), {first, end}, options, progress, stop);
    left = left.subspan(count);
  }
}

}  // namespace octavo
