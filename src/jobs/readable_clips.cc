// The files of clips that an archive knows may be gone or have changed since. What needs them is left undone then.

#include "jobs/readable_clips.h"

#include <optional>

#include "octavo/error.h"

namespace octavo::jobs {
namespace {

namespace fs = std::filesystem;

// Whether the file is still what the archive knows as this content.
bool is_as_known(const fs::path& file, const std::string& content, const VideoArchive& archive) {
  const std::optional<ArchivedFile> known = archive.file(file);
  const std::optional<ArchivedClip> clip = archive.clip_of_file(file);
  return known && clip && clip->content == content && lack_of(file, known->stamp).empty();
}

}  // namespace

JobContext telling_once(const JobContext& context, std::set<std::string>& told) {
  JobContext once = context;
  once.fail = [&context, &told](const std::string& sentence) {
    if (told.insert(sentence).second) report_failure(context, sentence);
  };
  return once;
}

LostClip lost_to(const JobContext& context) {
  return [&context](const ArchivedClip&, const std::string& sentence) { report_failure(context, sentence); };
}

bool does_read(const std::function<void()>& work, const JobContext& context) try {
  work();
  return true;
} catch (const Error& error) {
  if (error.code() != ErrorCode::file_error) throw;
  report_failure(context, error.what());
  return false;
}

fs::path readable_file(const ArchivedClip& clip, std::span<const VideoArchive> archives) {
  for (const fs::path& file : clip.files) {
    for (const VideoArchive& archive : archives) {
      if (is_as_known(file, clip.content, archive)) return file;
    }
  }
  return {};
}

void make_ends_exact(std::vector<CopySegment>& segments, const fs::path& query, const fs::path& other,
                     const VideoOptions& video, const JobContext& context) {
  if (query.empty() || other.empty()) return;
  does_read([&] { segments = refine_ends(segments, query, other, video, context.progress); }, context);
}

}  // namespace octavo::jobs
