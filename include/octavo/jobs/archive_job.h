#pragma once

#include <filesystem>
#include <optional>

#include "octavo/api.h"
#include "octavo/io/shard.h"
#include "octavo/job.h"
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

/// Brings the files into the archive by index_clips. Each file that cannot be indexed is told to the context as a
/// failure, and what the decoder says of others as a warning; both on threads of the job, one at a time. Throws as
/// index_clips does.
void fill_archive(VideoArchive& archive, const ArchiveJob& job, const JobContext& context = {});

}  // namespace octavo
