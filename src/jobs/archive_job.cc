// Indexing as a job: what fails, and the note of a shard.

#include "octavo/jobs/archive_job.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "io/json/json.h"
#include "io/results/collected_problems.h"
#include "io/results/part_note.h"

namespace octavo {
namespace jobs {
namespace {

void tell_clip(const IndexedClip& clip, const JobContext& context) {
  if (!clip.failure.empty()) {
    report_failure(context, fmt::format("cannot index '{}': {}", clip.file.string(), clip.failure));
  }
  if (clip.outcome != ClipOutcome::indexed) return;
  for (const VideoWarning& warning : clip.clip->facts.warnings) {
    report_warning(context, fmt::format("warning: {}: {}", clip.file.string(), warning.sentence));
  }
}

std::string settings_of_archive(const VideoArchive& archive) {
  Json settings = parse_json(json_of(option_table<SignatureOptions>(), archive.settings()));
  settings["fast"] = archive.is_fast();
  return json_text(settings);
}

}  // namespace
}  // namespace jobs

void fill_archive(VideoArchive& archive, const ArchiveJob& job, const JobContext& context) {
  std::vector<std::string> problems;
  const JobContext collecting = shards::collecting(context, problems);
  for (const std::string& problem : job.found.problems) report_failure(collecting, problem);
  if (job.shard) remove_part_note(archive.folder(), *job.shard);
  std::vector<std::filesystem::path> files;
  for (std::size_t i = 0; i < job.found.files.size(); ++i) {
    if (!job.shard || has_item(*job.shard, job.found.names[i])) files.push_back(job.found.files[i]);
  }
  IndexJob index = job.index;
  index.stop = context.stop;
  index.take = [&](const IndexedClip& clip) {
    if (job.index.take) job.index.take(clip);
    jobs::tell_clip(clip, collecting);
  };
  index_clips(archive, files, index);
  if (!job.shard || context.stop.stop_requested()) return;
  std::ranges::sort(problems);  // files end in any order
  write_part_note(archive.folder(), {.kind = PartKind::archive,
                                     .shard = *job.shard,
                                     .settings = jobs::settings_of_archive(archive),
                                     .inputs = inputs_of(job.found.names),
                                     .items = files.size(),
                                     .problems = problems});
}

}  // namespace octavo
