#include "video/takes/shot_frames.h"

#include <algorithm>
#include <functional>
#include <string>

#include "octavo/error.h"
#include "video/affinity/background.h"

namespace octavo {

ShotFrames frames_of(const Shot& shot, const TakeClip& clip) {
  const std::vector<double>& times = clip.frames.seconds;
  const auto at = [&](double seconds) {
    return static_cast<std::size_t>(std::ranges::lower_bound(times, seconds - 1e-6) - times.begin());
  };
  return {&clip, shot, at(shot.in), at(shot.out)};
}

std::vector<float> affinities_of(const ShotFrames& a, const ShotFrames& b, double least) {
  std::vector<float> affinity(a.count() * b.count());
  for (std::size_t i = 0; i < a.count(); ++i) {
    for (std::size_t j = 0; j < b.count(); ++j) {
      const float one = affinity_of(a.clip->frames, a.first + i, b.clip->frames, b.first + j).share;
      affinity[i * b.count() + j] = one >= least ? one : 0;
    }
  }
  return affinity;
}

double chance_limit(std::span<const ShotFrames> shots) {
  constexpr std::size_t most = 400;  // frames that are compared, so that the limit takes no time
  double all = 0, within = 0;
  for (const ShotFrames& shot : shots) {
    const auto count = static_cast<double>(shot.count());
    all += count;
    within += count * count;
  }
  struct Frame {
    const ShotFrames* shot;
    std::size_t at;
  };
  std::vector<Frame> frames;
  const std::size_t step = 1 + static_cast<std::size_t>(all) / most;
  std::size_t number = 0;
  for (const ShotFrames& shot : shots) {
    for (std::size_t i = shot.first; i < shot.end; ++i) {
      if (number++ % step == 0) frames.push_back({&shot, i});
    }
  }
  std::vector<float> values;
  for (std::size_t j = 0; j < frames.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      const Frame &a = frames[i], &b = frames[j];
      if (a.shot != b.shot) values.push_back(affinity_of(a.shot->clip->frames, a.at, b.shot->clip->frames, b.at).share);
    }
  }
  return background_limit(values, (all * all - within) / 2);
}

void require_possible(std::span<const ShotFrames> shots) {
  if (shots.size() < 2) return;
  std::vector<std::size_t> counts;
  for (const ShotFrames& shot : shots) counts.push_back(shot.count());
  std::ranges::partial_sort(counts, counts.begin() + 2, std::ranges::greater{});
  if (counts[1] == 0 || counts[0] <= most_affinities / counts[1]) return;
  throw Error(ErrorCode::out_of_memory, std::to_string(counts[0]) + " and " + std::to_string(counts[1]) +
                                            " frames of two shots make too large a matrix: it may have " +
                                            std::to_string(most_affinities) + " numbers; take fewer frames a second");
}

}  // namespace octavo
