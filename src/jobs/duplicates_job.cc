// All pairs of clips: compared, or read from the file that a merge of all shards has made. Verdicts of people and
// segments that recur in many clips leave pairs out.

#include "octavo/jobs/archive_jobs.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "io/files/output_file.h"
#include "io/json/json.h"
#include "io/results/part_note.h"
#include "jobs/readable_clips.h"
#include "video/archive/clip_pairs_file.h"
#include "video/report/report_json.h"

namespace octavo {
namespace jobs {
namespace {

bool is_settled(const ClipPair& pair) { return pair.verdict && pair.verdict->judgement != Judgement::same; }

// Whether the pair shares recurring segments alone.
bool only_recurs(const ClipPair& pair) {
  return std::ranges::none_of(pair.recurring, [](int part) { return part < 0; });
}

std::vector<ClipPair> compared_clips(const DuplicatesJob& job, const Shard& shard, const JobContext& context) {
  report_item(context.progress, "opening the archive");
  const ArchiveSearch search(job.archives, context.progress, lost_to(context));
  return search.duplicates(job.search, context.progress, shard);
}

// Decodes the clips of pairs that are shown. Pairs of which all segments turn out to be false are left out.
void find_exact_ends(std::vector<ClipPair>& pairs, const DuplicatesJob& job, const JobContext& context) {
  for (ClipPair& pair : pairs) {
    if (!job.all && is_settled(pair)) continue;
    make_ends_exact(pair.segments, readable_file(pair.a, job.archives), readable_file(pair.b, job.archives), job.video,
                    context);
  }
  std::erase_if(pairs, [](const ClipPair& pair) { return pair.segments.empty(); });
}

Json json_of_pair(const ClipPair& pair) {
  Json segments = video_report::as_json(pair.segments, {"a", timelines::frames_of(pair.a.facts)},
                                        {"b", timelines::frames_of(pair.b.facts)});
  for (std::size_t s = 0; s < pair.recurring.size(); ++s) {
    segments[s]["recurring_index"] = pair.recurring[s] < 0 ? Json() : Json(pair.recurring[s]);
  }
  return {{"clip_a", pair.a.files.front().string()},
          {"clip_b", pair.b.files.front().string()},
          {"facts_a", video_report::as_json(pair.a)},
          {"facts_b", video_report::as_json(pair.b)},
          {"score", pair.score},
          {"coverage_a", pair.a_coverage},
          {"coverage_b", pair.b_coverage},
          {"verdict", pair.verdict ? Json(name_of(pair.verdict->judgement)) : Json()},
          {"segments", std::move(segments)}};
}

}  // namespace
}  // namespace jobs

std::string json_of(const Duplicates& found) {
  Json pairs = Json::array(), recurring = Json::array();
  for (const ClipPair& pair : found.pairs) pairs.push_back(jobs::json_of_pair(pair));
  for (const RecurringSegment& one : found.recurring) recurring.push_back(video_report::as_json(one));
  return json_text({{"pairs", std::move(pairs)},
                    {"left_out_count", found.left_out},
                    {"recurring_segments", std::move(recurring)},
                    {"recurring_pair_count", found.recurring_pairs}});
}

Duplicates find_duplicates(const DuplicatesJob& job, const JobContext& context) {
  std::set<std::string> told;  // a file may be in many pairs
  const JobContext once = jobs::telling_once(context, told);
  Duplicates found;
  found.pairs = job.found.empty() ? jobs::compared_clips(job, {}, once) : read_clip_pairs(job.found, job.archives);
  if (job.exact_ends) jobs::find_exact_ends(found.pairs, job, once);
  found.recurring = take_out_recurring(found.pairs, job.recurring);
  found.recurring_pairs = std::erase_if(found.pairs, jobs::only_recurs);
  found.left_out = job.all ? 0 : std::erase_if(found.pairs, jobs::is_settled);
  return found;
}

void write_duplicates_shard(const std::filesystem::path& part, const DuplicatesJob& job, const Shard& shard,
                            const JobContext& context) {
  require_writable(std::array{part});
  std::set<std::string> told;
  const JobContext once = jobs::telling_once(context, told);
  Json digests = Json::array();
  std::set<std::string> contents;
  for (const VideoArchive& archive : job.archives) {
    digests.push_back(archive.digest());
    for (const ArchivedClip& clip : archive.clips()) {
      if (has_item(shard, clip.content)) contents.insert(clip.content);
    }
  }
  const Json settings{{"copies", parse_json(json_of(option_table<CopyOptions>(), job.search.copies))},
                      {"mirrored", job.search.mirrored},
                      {"reversed", job.search.reversed},
                      {"archives", std::move(digests)}};
  const std::vector<ClipPair> pairs = jobs::compared_clips(job, shard, once);
  write_clip_pairs(part,
                   {.kind = PartKind::clip_pairs,
                    .shard = shard,
                    .settings = json_text(settings),
                    .inputs = inputs_of(job.archives),
                    .items = contents.size(),
                    .problems = {told.begin(), told.end()}},
                   pairs);
}

}  // namespace octavo
