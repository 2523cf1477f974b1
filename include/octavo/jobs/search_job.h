#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/io/shard.h"
#include "octavo/progress.h"
#include "octavo/video/archive_search.h"
#include "octavo/video/clip_signature.h"
#include "octavo/video/video.h"
#include "octavo/video/video_archive.h"

// Clips, searched for in archives.

namespace OCTAVO_API octavo {

/// What a query has found.
struct SearchedClip {
  std::filesystem::path query;
  double seconds = 0;              ///< [second] its length
  std::vector<FoundClip> found{};  ///< best first
};

/// An object {"query", "seconds", "found_clips": […]} as `octavo video search --json` prints it.
std::string json_of(const SearchedClip& searched);

struct SearchJob {
  std::vector<std::filesystem::path> queries;
  std::span<const VideoArchive> archives;  ///< they are searched as if they were one
  SearchOptions search{};
  SignatureOptions signature = query_signature_options();
  VideoOptions video{};
  DeviceOptions device{};
  /// Do not decode the clips again for ends that are exact to the frame, which leaves out false segments too.
  bool rough_ends = false;
  /// The folder of images, QUERY-1.png and so on: a frame of both clips, with the features that agree. It is made.
  /// Empty: there are none.
  std::filesystem::path images{};
  std::optional<Shard> shard{};                     ///< of the queries, by their file names
  std::filesystem::path output{};                   ///< of a shard: the file of the part, for merge_parts
  std::function<void(const SearchedClip&)> take{};  ///< is told each query in order; may be empty
};

/// Searches. A query, a clip that was found or a signature that cannot be read is told to the context, each once, and
/// the others are searched. A shard that is stopped writes nothing. Throws Error(invalid_option), Error(file_error) for
/// an archive that cannot be read or a file that cannot be written, Error(device_unavailable), Error(out_of_memory).
void search_clips(const SearchJob& job, const JobContext& context = {});

}  // namespace octavo
