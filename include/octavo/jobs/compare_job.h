#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/progress.h"
#include "octavo/video/affinity.h"
#include "octavo/video/copy_segment.h"
#include "octavo/video/video.h"

// Two clips: the segments that both share, and their affinity matrix, with images and data.

namespace OCTAVO_API octavo {

struct CompareJob {
  std::filesystem::path a, b;     ///< a is the query
  std::filesystem::path image{};  ///< of the best segment (draw_copy), if there is one; empty: none
  CopyOptions copy{};
  VideoOptions video{};
  DeviceOptions device{};
};

/// Compares the clips. Throws what compare_clips throws, and, before the work, Error(invalid_option) and
/// Error(file_error) for an image that cannot be written or is one of the clips.
ClipComparison compare(const CompareJob& job, const JobContext& context = {});

/// The object that `octavo video compare --json` prints, with an indent.
std::string json_of(const CompareJob& job, const ClipComparison& found);

struct AffinityJob {
  std::filesystem::path a, b;     ///< a's time runs down, b's to the right
  std::filesystem::path image{};  ///< the matrix, blocks and segments (draw_affinity); empty: none
  std::filesystem::path data{};   ///< the same as a NumPy archive, .npz; empty: none
  bool segments = true;           ///< look for segments
  AffinityOptions affinity{};
  VideoOptions video{};
  DeviceOptions device{};
};

struct ClipAffinity {
  AffinityMatrix matrix;
  std::vector<CopySegment> segments;  ///< best first
};

/// Computes the matrix, and writes its image and data. Throws what affinity_of and compare_clips throw, and, before the
/// work, Error(invalid_option) and Error(file_error) for outputs as `compare` does.
ClipAffinity find_affinity(const AffinityJob& job, const JobContext& context = {});

/// The object that `octavo video affinity --json` prints.
std::string json_of(const AffinityJob& job, const ClipAffinity& found);

}  // namespace octavo
