#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "octavo/video/video_archive.h"

// What is in an archive.

namespace OCTAVO_INTERNAL_API octavo {

struct ArchiveList {
  std::vector<ArchivedFile> files;             ///< by their paths
  std::map<std::int64_t, ArchivedClip> clips;  ///< by ArchivedClip::id
  // Totals.
  std::size_t failed = 0;                      ///< files without a clip
  double seconds = 0, work_seconds = 0;        ///< [second] of the clips, and that they took
  std::uint64_t size = 0, signature_size = 0;  ///< [byte] of the clips, and of their signatures
  [[nodiscard]] double times_real_time() const { return work_seconds > 0 ? seconds / work_seconds : 0; }
};

/// Throws as VideoArchive does.
ArchiveList list_of(const VideoArchive& archive);

/// The object that `octavo video list --json` prints.
std::string json_of(const VideoArchive& archive, const ArchiveList& list);

/// All verdicts of the archive, the array that `octavo video verdict --json` prints.
std::string verdicts_json(const VideoArchive& archive);

}  // namespace octavo
