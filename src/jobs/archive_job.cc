// Indexing as a job: what fails, and the note of a shard.

#include "octavo/jobs/archive_jobs.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/json/json.h"
#include "io/results/collected_problems.h"
#include "io/results/part_note.h"
#include "jobs/archive_settings.h"
#include "octavo/error.h"
#include "video/report/report_json.h"

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

}  // namespace
}  // namespace jobs

std::vector<VideoArchive> open_archives(std::span<const std::string> folders) {
  std::set<std::filesystem::path> seen;
  std::vector<VideoArchive> archives;
  for (const std::string& folder : folders) {
    if (!seen.insert(archive_path(folder)).second) {
      throw Error(ErrorCode::invalid_option, fmt::format("the archive '{}' is given twice", folder));
    }
    archives.emplace_back(folder);
  }
  return archives;
}

VideoArchive open_or_make_archive(const std::filesystem::path& folder, SignatureOptions& signature, bool& fast,
                                  const std::function<bool(std::string_view option)>& is_given) {
  if (VideoArchive::exists(folder)) {
    const VideoArchive archive(folder);
    for (const Option<SignatureOptions>& option : option_table<SignatureOptions>().options) {
      if (!is_given(option.name)) option.write(signature, option, option.read(archive.settings(), option));
    }
    if (!is_given("fast")) fast = archive.is_fast();
  }
  return {folder, signature, fast};
}

std::string json_of(const IndexedClip& indexed) {
  return json_text({{"clip", indexed.file.string()},
                    {"outcome", name_of(indexed.outcome)},
                    {"problems", video_report::problems_json(indexed.failure)},
                    {"facts", indexed.clip ? video_report::as_json(*indexed.clip) : Json()}});
}

void IndexSummary::add(const IndexedClip& indexed) {
  ++counts[indexed.outcome];
  if (indexed.outcome == ClipOutcome::indexed) clip_seconds += indexed.clip->facts.seconds;
}

std::string json_of(const IndexSummary& summary) {
  Json json;
  for (const ClipOutcome outcome : {ClipOutcome::indexed, ClipOutcome::recognised, ClipOutcome::unchanged,
                                    ClipOutcome::failed, ClipOutcome::failed_before}) {
    const auto count = summary.counts.find(outcome);
    std::string name(name_of(outcome));
    std::ranges::replace(name, ' ', '_');
    json[name + "_count"] = count == summary.counts.end() ? 0 : count->second;
  }
  json["clip_seconds"] = summary.clip_seconds;
  json["seconds"] = summary.seconds;
  json["times_real_time"] = summary.times_real_time();
  return json_text(json);
}

void fill_archive(VideoArchive& archive, const ArchiveJob& job, const JobContext& context) {
  std::vector<std::string> problems;
  const JobContext collecting = shards::collecting(context, problems);
  for (const std::string& problem : job.found.problems) report_failure(collecting, problem);
  if (job.shard) begin_part(archive.folder(), *job.shard);
  std::vector<std::filesystem::path> files;
  for (std::size_t i = 0; i < job.found.files.size(); ++i) {
    if (!job.shard || has_item(*job.shard, job.found.names[i])) files.push_back(job.found.files[i]);
  }
  IndexJob index = job.index;
  index.stop = context.stop;
  if (!index.progress) {
    index.progress = [&](const IndexProgress& state) {
      report_item(context.progress, state.file.string(), state.done, state.files);
    };
  }
  index.take = [&](const IndexedClip& clip) {
    if (job.index.take) job.index.take(clip);
    jobs::tell_clip(clip, collecting);
  };
  index_clips(archive, files, index);
  if (!job.shard || context.stop.stop_requested()) return;
  std::ranges::sort(problems);  // files end in any order
  end_part(archive.folder(), {.kind = PartKind::archive,
                              .shard = *job.shard,
                              .settings = json_text(jobs::settings_json(archive)),
                              .inputs = inputs_of(job.found.names),
                              .items = files.size(),
                              .problems = problems});
}

}  // namespace octavo
