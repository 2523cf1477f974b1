#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/io/shard.h"
#include "octavo/progress.h"
#include "octavo/video/archive_search.h"
#include "octavo/video/video.h"
#include "octavo/video/video_archive.h"

// The clips of archives, compared with each other.

namespace OCTAVO_API octavo {

struct DuplicatesJob {
  std::span<const VideoArchive> archives;  ///< they are compared as if they were one
  SearchOptions search{};
  RecurringOptions recurring{};
  VideoOptions video{};
  bool exact_ends = false;        ///< decode the clips again for ends that are exact to the frame
  bool all = false;               ///< also pairs that were judged different or not of interest
  std::filesystem::path found{};  ///< a file of all pairs (merge_parts), in place of comparing; empty: none
};

struct Duplicates {
  std::vector<ClipPair> pairs;              ///< best first
  std::vector<RecurringSegment> recurring;  ///< those in most clips first
  std::size_t recurring_pairs = 0;          ///< pairs that share recurring segments alone, which are left out
  std::size_t left_out = 0;                 ///< pairs that verdicts leave out
};

/// An object {"pairs", "left_out_count", "recurring_segments", "recurring_pair_count"} as `octavo video duplicates
/// --json` prints it.
std::string json_of(const Duplicates& found);

/// Finds the pairs. A clip or signature that cannot be read is told to the context, each once; the others are compared.
/// Throws Error(invalid_option), Error(file_error) and Error(out_of_memory).
Duplicates find_duplicates(const DuplicatesJob& job, const JobContext& context = {});

/// Writes the part of a shard of the pairs, by the content of their first clip, for merge_parts. Of the job `archives`
/// and `search` count. Throws as find_duplicates does.
void write_duplicates_shard(const std::filesystem::path& part, const DuplicatesJob& job, const Shard& shard,
                            const JobContext& context = {});

}  // namespace octavo
