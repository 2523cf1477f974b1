#include "video/archive/known_clips.h"

#include <algorithm>
#include <filesystem>

namespace octavo::archive {

KnownClips known_clips(std::span<const VideoArchive> archives) {
  KnownClips clips;
  for (const VideoArchive& archive : archives) {
    archive.require_settings(archives.front().settings(), archives.front().is_fast());
    for (ArchivedClip& clip : archive.clips()) {
      const auto [known, is_new] = clips.try_emplace(clip.content, KnownClip{&archive, clip});
      if (is_new) continue;
      std::vector<std::filesystem::path>& files = known->second.clip.files;
      files.insert(files.end(), clip.files.begin(), clip.files.end());
      std::ranges::sort(files);
      files.erase(std::ranges::unique(files).begin(), files.end());
    }
  }
  return clips;
}

std::map<std::pair<std::string, std::string>, Verdict> known_verdicts(std::span<const VideoArchive> archives) {
  std::map<std::pair<std::string, std::string>, Verdict> verdicts;
  for (const VideoArchive& archive : archives) {
    for (Verdict& one : archive.verdicts()) verdicts.emplace(std::pair(one.a, one.b), std::move(one));
  }
  return verdicts;
}

ClipPair clip_pair(const ArchivedClip& a, const ArchivedClip& b, std::vector<CopySegment> segments,
                   const std::map<std::pair<std::string, std::string>, Verdict>& verdicts) {
  ClipPair pair{.a = a, .b = b, .segments = std::move(segments), .verdict = {}};
  pair.a_coverage = coverage(pair.segments, a.facts.seconds, true);
  pair.b_coverage = coverage(pair.segments, b.facts.seconds, false);
  for (const CopySegment& segment : pair.segments) pair.score = std::max(pair.score, segment.score);
  const auto verdict = verdicts.find({a.content, b.content});
  if (verdict != verdicts.end()) pair.verdict = verdict->second;
  return pair;
}

}  // namespace octavo::archive
