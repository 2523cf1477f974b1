#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "octavo/api.h"
#include "octavo/io/shard.h"
#include "octavo/progress.h"
#include "octavo/video/index_clips.h"
#include "octavo/video/video_archive.h"

// Clips, brought into an archive, or those of a shard into its part.

namespace OCTAVO_API octavo {

struct ArchiveJob {
  VideoFiles found;  ///< its problems are told as failures
  /// Of the files, by their names. The archive is then a part for merge_parts, and has its note once all files had
  /// their turn.
  std::optional<Shard> shard{};
  IndexJob index{};  ///< without `stop`, which the context has
};

/// An object {"clip", "outcome", "problems", "facts"} as `octavo video index --json` lists it.
std::string json_of(const IndexedClip& indexed);

/// What has become of all files.
struct IndexSummary {
  std::map<ClipOutcome, std::size_t> counts{};
  double clip_seconds = 0;  ///< [second] the length of the clips that were decoded
  double seconds = 0;       ///< [second] wall time of the work

  void add(const IndexedClip& indexed);
  [[nodiscard]] double times_real_time() const { return seconds > 0 ? clip_seconds / seconds : 0; }
};

/// An object {"indexed_count", …} as `octavo video index --json` ends with it.
std::string json_of(const IndexSummary& summary);

/// Brings the files into the archive by index_clips. Each file that cannot be indexed is told to the context as a
/// failure, and what the decoder says of others as a warning; both on threads of the job, one at a time. Throws as
/// index_clips does.
void fill_archive(VideoArchive& archive, const ArchiveJob& job, const JobContext& context = {});

}  // namespace octavo
