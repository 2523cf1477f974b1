// Tracks are chains of matches between neighbouring frames. The identity as the homography of a guide bounds the
// motion, so that only points that are near are compared: similar points elsewhere in the frame neither take a track
// over nor make the ratio test fail.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "octavo/error.h"
#include "octavo/matcher.h"
#include "octavo/video/video_tracks.h"

namespace octavo {
namespace {

MatchOptions match_options_of(const TrackOptions& options) {
  return {.ratio = options.ratio,
          .mutual = true,
          .max_distance2 = static_cast<std::uint32_t>(std::floor(options.max_distance * options.max_distance))};
}

}  // namespace

double TrackStatistics::mean_length() const {
  return tracks == 0 ? 0 : static_cast<double>(steps + tracks) / static_cast<double>(tracks);
}

class KeypointTracker::Impl {
 public:
  Impl(const TrackOptions& options, const DeviceOptions& device)
      : options_((validate(options), options)), matcher_(match_options_of(options), device) {}

  std::span<const Track> follow(Features features, ImageSize size) {
    if (features.descriptors.size() != features.size() * descriptor_length) {
      throw Error(ErrorCode::invalid_argument, "the features have no descriptors, but tracks need them");
    }
    std::vector<Track> now(features.size());
    std::vector<bool> continues(features.size(), false);
    for (const Match& match : matches(features, size)) {
      const auto to = static_cast<std::size_t>(match.b);
      now[to] = std::move(tracks_[static_cast<std::size_t>(match.a)]);
      ++now[to].frames;
      continues[to] = true;
      statistics_.tracks += now[to].frames == 2 ? 1 : 0;
      statistics_.longest = std::max(statistics_.longest, now[to].frames);
      ++statistics_.steps;
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (!continues[i]) now[i].id = begun_++;
      now[i].way.push_back({features.keypoints[i].x, features.keypoints[i].y});
      while (now[i].way.size() > static_cast<std::size_t>(options_.tail) + 1) now[i].way.pop_front();
    }
    if (!is_first_) statistics_.possible_steps += static_cast<std::int64_t>(now.size());
    is_first_ = false;
    tracks_ = std::move(now);
    before_ = std::move(features);
    size_ = size;
    return tracks_;
  }

  [[nodiscard]] const TrackStatistics& statistics() const { return statistics_; }

 private:
  std::vector<Match> matches(const Features& features, ImageSize size) {
    if (is_first_ || size != size_) return {};
    Guide guide;
    guide.radius = options_.max_motion * std::max(size.width, size.height);
    return matcher_.match(before_, features, guide);
  }

  TrackOptions options_;
  Matcher matcher_;
  Features before_;
  ImageSize size_;
  std::vector<Track> tracks_;
  std::int64_t begun_ = 0;
  bool is_first_ = true;
  TrackStatistics statistics_;
};

KeypointTracker::KeypointTracker(const TrackOptions& options, const DeviceOptions& device)
    : impl_(std::make_unique<Impl>(options, device)) {}
KeypointTracker::~KeypointTracker() = default;
KeypointTracker::KeypointTracker(KeypointTracker&&) noexcept = default;
std::span<const Track> KeypointTracker::follow(Features features, ImageSize size) {
  return impl_->follow(std::move(features), size);
}
const TrackStatistics& KeypointTracker::statistics() const { return impl_->statistics(); }

}  // namespace octavo
