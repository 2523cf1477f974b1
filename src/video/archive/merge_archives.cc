#include "video/archive/merge_archives.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "octavo/error.h"
#include "octavo/video/video_archive.h"
#include "video/archive/lost_clips.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

// A file, and the archive that knows it.
struct KnownFile {
  const VideoArchive* archive = nullptr;
  ArchivedFile file;
};

// Whether `a` tells more of a file than `b`: a clip more than a failure, then the newer one.
bool is_better(const ArchivedFile& a, const ArchivedFile& b) {
  const auto rank = [](const ArchivedFile& file) {
    return std::pair(file.clip.has_value(), file.stamp ? file.stamp->modified : 0);
  };
  return rank(a) > rank(b);
}

void add_verdicts(VideoArchive& to, const std::vector<VideoArchive>& archives) {
  std::map<std::pair<std::string, std::string>, Verdict> verdicts;
  for (Verdict& one : to.verdicts()) verdicts.emplace(std::pair(one.a, one.b), std::move(one));
  for (const VideoArchive& archive : archives) {
    for (const Verdict& one : archive.verdicts()) {
      const auto [known, is_new] = verdicts.emplace(std::pair(one.a, one.b), one);
      if (known->second.judgement != one.judgement) {
        throw Error(ErrorCode::file_error, fmt::format("cannot merge '{}': it has another verdict on {} and {}",
                                                       archive.folder().string(), one.a, one.b));
      }
      if (is_new) to.set_verdict(one);
    }
  }
}

// Whether what an archive knows of a file can be taken over.
bool is_whole(const KnownFile& known, const archive::LostClips& lost) {
  const std::optional<ArchivedClip> clip = known.archive->clip_of_file(known.file.file);
  return !clip || lost.are_there(*known.archive, *clip);
}

}  // namespace

void merge_archives(const fs::path& to, std::span<const fs::path> parts, const LostClip& lost) {
  std::vector<VideoArchive> archives;
  for (const fs::path& part : parts) archives.emplace_back(part);
  if (archives.empty()) return;
  VideoArchive merged(to, archives.front().settings(), archives.front().is_fast());
  for (const VideoArchive& archive : archives) archive.require_settings(merged.settings(), merged.is_fast());
  merged.remove_leftovers();
  std::map<fs::path, KnownFile> files;
  for (const VideoArchive& archive : archives) {
    for (ArchivedFile& file : archive.files()) {
      const auto [known, is_new] = files.try_emplace(file.file, KnownFile{&archive, file});
      if (!is_new && is_better(file, known->second.file)) known->second = {&archive, std::move(file)};
    }
  }
  const archive::LostClips lost_clips(lost);
  for (const auto& [path, known] : files) {
    if (is_whole(known, lost_clips)) merged.adopt(*known.archive, known.file);
  }
  add_verdicts(merged, archives);
}

}  // namespace octavo
