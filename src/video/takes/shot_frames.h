#pragma once

// Shots and their compared frames.

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "octavo/video/takes.h"
#include "video/affinity/clip_frames.h"

namespace octavo {

/// A clip whose frames are compared.
struct TakeClip {
  ClipFrames frames;
  std::filesystem::path file;  ///< empty: only the signature is known
  VideoOptions video;          ///< how the file is read
};

/// A shot and its frames, from `first` to before `end`.
struct ShotFrames {
  const TakeClip* clip = nullptr;
  Shot shot;
  std::size_t first = 0, end = 0;

  [[nodiscard]] std::size_t count() const { return end - first; }
  /// [second] The time of a frame; 0 is that of `first`.
  [[nodiscard]] double seconds(std::size_t i) const { return clip->frames.seconds[first + i]; }
};

ShotFrames frames_of(const Shot& shot, const TakeClip& clip);

/// The affinities of all pairs of frames, those of `a` row by row; those below `least` are 0.
std::vector<float> affinities_of(const ShotFrames& a, const ShotFrames& b, double least);

/// The affinity by VLADs that chance exceeds in one of all pairs of frames of different shots (background.h).
double chance_limit(std::span<const ShotFrames> shots);

/// Throws Error(out_of_memory) if two shots make a matrix with more than `most_affinities`.
void require_possible(std::span<const ShotFrames> shots);

}  // namespace octavo
