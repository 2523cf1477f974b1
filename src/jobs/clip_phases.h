#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "jobs/phases.h"
#include "octavo/video/video_file.h"

namespace octavo::jobs {

/// How long reading a clip takes beside others, in no unit: it grows with its pixels.
double reading_work(int width, int height, double seconds);

/// A file that a job reads: its path, as the job tells it as an item, and how long that takes beside others.
struct ReadFile {
  std::filesystem::path file;
  double work = 0;
  double seconds = 0;  ///< of clips; 0 of images
};

/// What reading these files takes by their facts. One that cannot be opened takes nothing.
std::vector<ReadFile> files_to_read(std::span<const std::filesystem::path> files, const VideoOptions& video);

/// The phases of reading files one after the other: each begins with its item, and its stages have these parts of its
/// work.
std::vector<Phase> phases_of_reading(std::span<const ReadFile> files, std::span<const Phase> stages);

/// The phases of finding takes: reading, comparing shots, and reading once more for exact times and the sheet.
std::vector<Phase> phases_of_takes(std::span<const ReadFile> files, bool reads_features, bool has_sheet);

/// The phases of comparing two clips.
std::vector<Phase> phases_of_comparing(const ReadFile& a, const ReadFile& b);

/// The phases of an affinity matrix, and of comparing the clips for its segments.
std::vector<Phase> phases_of_affinity(const ReadFile& a, const ReadFile& b, bool has_segments);

}  // namespace octavo::jobs
