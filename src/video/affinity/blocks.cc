// A scene is the time between two changes of the whole image, less the junk at its ends. Two scenes are a block if
// most of their pairs of frames are similar: a camera that stands still, or another take of the scene. Where the camera
// moves through a scene only frames near the diagonal are similar: that is a segment, and no block.

#include "video/affinity/blocks.h"

#include <algorithm>

namespace octavo {

namespace {

// Frames `first` to before `end` of a clip.
struct SceneFrames {
  std::size_t first = 0, end = 0;
  double in = 0, out = 0;  // [second]
};

std::vector<SceneFrames> scenes_of(const ClipFrames& frames) {
  const std::size_t count = frames.seconds.size();
  std::vector<double> changes = changes_of(frames, steady_share);
  std::vector<SceneFrames> scenes;
  const auto is_junk = [&](std::size_t i) { return frames.signatures[i].junk != Junk::none; };
  auto change = changes.begin();
  for (std::size_t i = 0; i < count;) {
    if (is_junk(i)) {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    while (change != changes.end() && *change <= frames.seconds[i]) ++change;
    while (end < count && !is_junk(end) && (change == changes.end() || frames.seconds[end] < *change)) ++end;
    const double out = end < count ? frames.seconds[end] : std::max(frames.length, frames.seconds.back());
    if (out - frames.seconds[i] >= least_block_seconds) scenes.push_back({i, end, frames.seconds[i], out});
    i = end;
  }
  return scenes;
}

}  // namespace

std::vector<AffinityBlock> blocks_of(const ClipFrames& a, const ClipFrames& b,
                                     std::span<const std::uint8_t> is_similar) {
  const std::vector<SceneFrames> of_a = scenes_of(a), of_b = scenes_of(b);
  const std::size_t columns = b.seconds.size();
  std::vector<AffinityBlock> blocks;
  for (const SceneFrames& p : of_a) {
    for (const SceneFrames& q : of_b) {
      std::size_t similar = 0;
      for (std::size_t i = p.first; i < p.end; ++i) {
        for (std::size_t j = q.first; j < q.end; ++j) similar += is_similar[i * columns + j];
      }
      const double share =
          static_cast<double>(similar) / (static_cast<double>(p.end - p.first) * static_cast<double>(q.end - q.first));
      if (share >= least_block_share) blocks.push_back({p.in, p.out, q.in, q.out, share});
    }
  }
  return blocks;
}

}  // namespace octavo
