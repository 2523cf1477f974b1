#pragma once

// The inverted lists of an archive: files in its folder `lists`, each for some of its clips. A file never changes.
// Clips without lists get a new file, which takes in the files that are no larger (the logarithmic method of Bentley
// and Saxe 1980): so there are few files, and a clip is listed again only some log₂(clips) times. All files can be made
// again from the signatures; so a file that is damaged, or that lists a forgotten clip, is replaced.
//
//     bytes        content
//     8            "OctShard"
//     4 4          u32 version, 2; u32 number of clips n
//     n·(32 4 4)   of each clip: the digest of its content, as text; u32 its first image; u32 its images;
//                  the digests ascend
//     to 8         zeros up to a multiple of 8
//     then         the lists (retrieval/inverted_lists.cc); an image is a key frame (archive/key_frames.h)
//
// Files of another version are made again too. The version also stands for the choice of key frames and features.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/retrieval/inverted_lists.h"
#include "octavo/progress.h"
#include "octavo/video/video_archive.h"
#include "video/archive/lost_clips.h"
#include "video/archive/mapped_file.h"

namespace octavo {

/// A clip in a file of lists.
struct ListedClip {
  std::string content;            ///< ArchivedClip::content
  std::uint32_t first_image = 0;  ///< the image of its first key frame
  std::uint32_t images = 0;       ///< its key frames
};

/// A file of lists, mapped.
class ClipLists {
 public:
  /// Throws Error(file_error) for a file that cannot be read, and Error(invalid_argument) for one that is damaged.
  explicit ClipLists(const std::filesystem::path& file);
  ClipLists(ClipLists&&) noexcept = default;
  ClipLists& operator=(ClipLists&&) noexcept = default;

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  [[nodiscard]] const std::vector<ListedClip>& clips() const { return clips_; }
  [[nodiscard]] const InvertedLists& lists() const { return *lists_; }
  /// The clip that an image belongs to.
  [[nodiscard]] const ListedClip& clip_of(std::uint32_t image) const;

 private:
  std::filesystem::path file_;
  MappedFile mapped_;
  std::vector<ListedClip> clips_;
  std::optional<InvertedLists> lists_;
};

/// The lists of all clips of an archive whose signatures can be read; each clip is in one of them. Makes those that are
/// missing, and removes files that are of no use. Processes that do so at the same time wait for each other. Where the
/// archive cannot be written, missing lists are made for this process alone. Throws Error(file_error).
std::vector<ClipLists> open_lists(const VideoArchive& archive, const archive::LostClips& lost,
                                  const ProgressSink& progress);

}  // namespace octavo
