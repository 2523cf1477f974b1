#pragma once

// The clips of several archives, which are taken for one.

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "octavo/video/archive_search.h"
#include "octavo/video/video_archive.h"

namespace octavo::archive {

/// A clip, with its files in all archives, and an archive that has its signature.
struct KnownClip {
  const VideoArchive* archive = nullptr;
  ArchivedClip clip;
};

/// By content, which is the order of archives.
using KnownClips = std::map<std::string, KnownClip, std::less<>>;

/// The archives must outlive the result. Throws Error(invalid_option) for archives of different settings.
KnownClips known_clips(std::span<const VideoArchive> archives);

/// The verdicts of all archives, by the contents of pairs; of several on a pair that of the first archive.
std::map<std::pair<std::string, std::string>, Verdict> known_verdicts(std::span<const VideoArchive> archives);

/// A pair with its coverages and score.
ClipPair clip_pair(const ArchivedClip& a, const ArchivedClip& b, std::vector<CopySegment> segments,
                   const std::map<std::pair<std::string, std::string>, Verdict>& verdicts);

}  // namespace octavo::archive
