#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/video/video_archive.h"
#include "octavo/video/video_file.h"

// Brings clips into an archive.

namespace OCTAVO_API octavo {

/// Videos that were found at some places.
struct VideoFiles {
  std::vector<std::filesystem::path> files;  ///< each once
  std::vector<std::string> names;            ///< of each: its path below the folder that was given, or the file's name
  std::vector<std::string> problems;         ///< a sentence for each folder that gives no video, or cannot be read
};

/// The videos at some places. A folder gives the videos in it and in the folders below it (looks_like_video), sorted;
/// with `images` the images too (looks_like_image). Anything else is taken for a video or an image, which need not
/// exist.
VideoFiles find_videos(std::span<const std::string> places, bool images = false);

/// How far the work on a clip is, in seconds of the clip.
struct ClipStep {
  double done = 0;   ///< [second]
  double total = 0;  ///< [second] by the file; 0: unknown
};

/// What a ClipReader tells while it reads a clip, and when it ends.
struct ClipReading {
  std::stop_token stop{};                                     ///< once a stop is requested it ends
  std::function<void(const ClipStep&)> progress;              ///< is called often
  std::function<void(std::span<const std::byte>)> signature;  ///< the next bytes of the signature (SignatureEncoder)
};

/// Reads a clip and makes its signature. Returns none if it had to stop. Throws what Video throws. Several threads call
/// it at a time.
using ClipReader = std::function<std::optional<ClipFacts>(const std::filesystem::path& clip, const ClipReading& tell)>;

/// A ClipReader that makes signatures by a ClipSigner for each clip. Throws Error(invalid_option), and
/// Error(file_error) if the decoder is not found.
ClipReader clip_reader(const SignatureOptions& signature, const VideoOptions& video = {},
                       const DeviceOptions& device = {});

/// What has become of a file.
enum class ClipOutcome : std::uint8_t {
  indexed,        ///< its signature was made
  recognised,     ///< another file of the same content was indexed before, or this one under another name
  unchanged,      ///< it is in the archive
  failed,         ///< it cannot be indexed
  failed_before,  ///< the same, found out by an earlier job; the file has not changed since
};

/// "indexed", "recognised", "unchanged", "failed" or "failed before".
std::string_view name_of(ClipOutcome outcome);

/// A clip of `index_clips`, and what became of it.
struct IndexedClip {
  std::filesystem::path file;  ///< as it was given
  ClipOutcome outcome = ClipOutcome::indexed;
  std::optional<ArchivedClip> clip;  ///< none if it failed
  std::string failure;               ///< why; does not name the file
};

/// How far `index_clips` is.
struct IndexProgress {
  std::size_t files = 0;       ///< all of them
  std::size_t done = 0;        ///< those that are finished
  double share = 0;            ///< 0 to 1, of the bytes of files that are to be decoded: those that are done
  double clip_seconds = 0;     ///< [second] of clips, decoded so far
  double elapsed = 0;          ///< [second] since the job began
  std::optional<double> left;  ///< [second] estimated from the bytes of files that are still to be decoded
  std::filesystem::path file;  ///< one that is worked on
};

/// The clips of `index_clips`.
struct IndexJob {
  std::size_t jobs = 1;                          ///< clips at a time, each with a thread of its own; 1 or more
  bool retry = false;                            ///< try files again that failed before
  ClipReader read;                               ///< see clip_reader
  std::function<void(const IndexedClip&)> take;  ///< gets each file as it is finished, one at a time; may be empty
  std::function<void(const IndexProgress&)> progress;  ///< is called now and then, one at a time; may be empty
  std::stop_token stop{};                              ///< once a stop is requested the clips in work are dropped
};

/// Brings files into an archive, and removes what killed jobs left behind. Each file is in the archive as soon as it is
/// finished. A file of the same path, size and time as before is not read. Of files of the same content one is decoded,
/// also if several processes index them at a time. A file that was in the archive and is no longer there stays in it,
/// but is told as failed: its disk may be absent. Throws Error(file_error) if the archive cannot be written, and
/// Error(device_unavailable); the files that are finished stay.
void index_clips(VideoArchive& archive, std::span<const std::filesystem::path> files, const IndexJob& job);

}  // namespace octavo
