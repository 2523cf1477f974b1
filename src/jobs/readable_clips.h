#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "octavo/progress.h"
#include "octavo/video/archive_search.h"
#include "octavo/video/copy_segment.h"
#include "octavo/video/video_archive.h"
#include "octavo/video/video_file.h"

namespace octavo::jobs {

/// The context of a job that meets one file many times: each failure is told once, and is in `told`. Both must outlive
/// it.
JobContext telling_once(const JobContext& context, std::set<std::string>& told);

/// For an ArchiveSearch: clips whose signatures are lost are failures.
LostClip lost_to(const JobContext& context);

/// Does something that reads files, and tells the failure of one that cannot be read. Returns whether all could.
bool does_read(const std::function<void()>& work, const JobContext& context);

/// A file of the clip that is still as one of the archives knows it, or an empty path.
std::filesystem::path readable_file(const ArchivedClip& clip, std::span<const VideoArchive> archives);

/// Gives the segments ends that are exact to the frame where the images tell them, for which both clips are decoded
/// again; some turn out to be false and go. Nothing is done if one of the files is an empty path or cannot be read.
/// Throws what else refine_ends throws.
void make_ends_exact(std::vector<CopySegment>& segments, const std::filesystem::path& query,
                     const std::filesystem::path& other, const VideoOptions& video, const JobContext& context);

}  // namespace octavo::jobs
