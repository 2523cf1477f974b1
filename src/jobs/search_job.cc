// Queries, one after the other: the signature of each, the search, the exact ends of what it finds, and its images.

#include "octavo/jobs/archive_jobs.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "io/files/output_file.h"
#include "io/json/json.h"
#include "io/results/part_items.h"
#include "jobs/readable_clips.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "octavo/video/video.h"
#include "video/report/report_json.h"
#include "video/signature/copy_image.h"

namespace octavo {
namespace jobs {
namespace {

namespace fs = std::filesystem;

template <class Options>
Json json_of_options(const Options& options) {
  return parse_json(json_of(option_table<Options>(), options));
}

void prepare_images(const SearchJob& job) {
  if (job.images.empty()) return;
  std::set<fs::path> names;
  for (const fs::path& query : job.queries) {
    if (names.insert(query.filename()).second) continue;
    throw Error(ErrorCode::invalid_option,
                fmt::format("two queries are called '{}', and their images would be too", query.filename().string()));
  }
  require_writable_folder(job.images);
  fs::create_directories(job.images);
}

class ClipSearch {
 public:
  ClipSearch(const SearchJob& job, const JobContext& caller)
      : job_(job), options_(job.search), context_(telling_once(caller, problems_)) {
    options_.isa = job.device.isa;
  }

  void run() {
    prepare_images(job_);
    if (job_.shard) {
      const std::array<fs::path, 1> part{job_.output};
      require_not_read(part, job_.queries);
      require_writable(part);
    }
    report_item(context_.progress, "opening the archive");
    const ArchiveSearch archives(job_.archives, context_.progress, lost_to(context_));
    std::uint64_t items = 0;
    for (std::size_t i = 0; i < job_.queries.size(); ++i) {
      if (context_.stop.stop_requested()) return;
      const fs::path& query = job_.queries[i];
      if (job_.shard && !has_item(*job_.shard, query.filename().string())) continue;
      ++items;
      report_item(context_.progress, query.string(), i, job_.queries.size());
      does_read([&] { search(archives, i); }, context_);
    }
    if (job_.shard) write_shard(items);
  }

 private:
  void search(const ArchiveSearch& archives, std::size_t place) {
    const fs::path& query = job_.queries[place];
    SearchedClip searched{.query = query};
    const ClipSignature signature = sign(searched);
    ClipSignature negative;
    if (job_.negative) {
      negative = sign_clip(query, job_.signature, job_.video, job_.device, context_.progress, Tones::negative);
    }
    searched.found = archives.find(signature, options_, context_.progress, job_.negative ? &negative : nullptr);
    if (!job_.rough_ends) make_exact(searched);
    if (searched.found.empty()) searched.reason = why_never_found("it", signature, job_.search.copies.min_seconds);
    if (!job_.images.empty()) draw(searched);
    if (job_.shard) found_.emplace(placed_name(place, query.string()), json_of(searched));
    if (job_.take) job_.take(searched);
  }

  ClipSignature sign(SearchedClip& searched) const {
    ClipSigner signer(searched.query, job_.signature, job_.video, job_.device);
    ClipSignature signature = sign_clip(signer, context_.progress);
    searched.seconds = signature.seconds;
    searched.facts = signer.video().facts();
    return signature;
  }

  // Segments get exact ends where both files are there. A clip of which all turn out to be false is left out.
  void make_exact(SearchedClip& searched) const {
    for (FoundClip& one : searched.found) {
      make_ends_exact(one.segments, searched.query, readable_file(one.clip, job_.archives), job_.video, context_);
      if (one.segments.empty()) continue;
      one.query_coverage = coverage(one.segments, searched.seconds, true);
      one.clip_coverage = coverage(one.segments, one.clip.facts.seconds, false);
      one.score = std::ranges::max_element(one.segments, {}, &CopySegment::score)->score;
    }
    std::erase_if(searched.found, [](const FoundClip& one) { return one.segments.empty(); });
    std::ranges::stable_sort(searched.found, std::ranges::greater{}, &FoundClip::score);
  }

  void draw(const SearchedClip& searched) const {
    for (std::size_t i = 0; i < searched.found.size(); ++i) {
      const FoundClip& found = searched.found[i];
      const fs::path file = readable_file(found.clip, job_.archives);
      if (file.empty()) continue;
      const CopySegment& best = *std::ranges::max_element(found.segments, {}, &CopySegment::score);
      Image image;
      if (!does_read([&] { image = draw_copy(best, searched.query, file, job_.video); }, context_)) continue;
      write_image(job_.images / fmt::format("{}-{}.png", searched.query.filename().string(), i + 1), image.view());
    }
  }

  void write_shard(std::uint64_t items) const {
    Json digests = Json::array();
    for (const VideoArchive& archive : job_.archives) digests.push_back(archive.digest());
    const Json settings{{"copies", json_of_options(job_.search.copies)},
                        {"mirrored", job_.search.mirrored},
                        {"negative", job_.negative},
                        {"reversed", job_.search.reversed},
                        {"signature", json_of_options(job_.signature)},
                        {"video", json_of_options(job_.video)},
                        {"rough_ends", job_.rough_ends},
                        {"archives", std::move(digests)}};
    std::vector<std::string> names;
    for (const fs::path& query : job_.queries) names.push_back(query.string());
    write_part(job_.output,
               {.kind = PartKind::found_clips,
                .shard = *job_.shard,
                .settings = json_text(settings),
                .inputs = inputs_of(names),
                .items = items,
                .problems = {problems_.begin(), problems_.end()}},
               found_);
  }

  const SearchJob& job_;
  SearchOptions options_;
  std::set<std::string> problems_;  // each once, though a file may be in the answers to many queries
  const JobContext context_;
  PartItems found_;  // by a shard
};

}  // namespace
}  // namespace jobs

std::string json_of(const SearchedClip& searched) {
  const video_report::SegmentSide query{"query", timelines::frames_of(searched.facts)};
  Json list = Json::array();
  for (const FoundClip& one : searched.found) {
    const video_report::SegmentSide clip{"clip", timelines::frames_of(one.clip.facts)};
    list.push_back({{"clip", one.clip.files.front().string()},
                    {"files", video_report::files_json(one.clip)},
                    {"facts", video_report::as_json(one.clip)},
                    {"score", one.score},
                    {"coverage_query", one.query_coverage},
                    {"coverage_clip", one.clip_coverage},
                    {"segments", video_report::as_json(one.segments, query, clip)}});
  }
  return json_text({{"query", searched.query.string()},
                    {"seconds", searched.seconds},
                    {"reason", text_or_null(searched.reason)},
                    {"found_clips", std::move(list)}});
}

void search_clips(const SearchJob& job, const JobContext& context) { jobs::ClipSearch(job, context).run(); }

}  // namespace octavo
