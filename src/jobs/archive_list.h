#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
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
/// The same as text.
std::string text_of(const VideoArchive& archive, const ArchiveList& list);

/// Takes out of the archive the file, or the files below the folder, and returns their number.
std::size_t forget_below(VideoArchive& archive, const std::filesystem::path& file_or_folder);

/// What a person says of two clips, each a file of the archive or its content; without a judgement what was said is
/// taken back. Throws Error(file_error) for clips that are not in the archive or are one, and where nothing was said.
void judge(VideoArchive& archive, const std::string& a, const std::string& b, std::optional<Judgement> judgement,
           const std::string& note = {});

/// A file of a clip with this content, or "content " and the content.
std::string name_of_content(const VideoArchive& archive, const std::string& content);

/// All verdicts of the archive, the array that `octavo video verdict --json` prints.
std::string verdicts_json(const VideoArchive& archive);
/// The same as text, a line each.
std::string verdicts_text(const VideoArchive& archive);

}  // namespace octavo
