#include "octavo/jobs/video_jobs.h"

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "io/files/output_file.h"
#include "io/json/json.h"
#include "jobs/clip_phases.h"
#include "octavo/image.h"
#include "octavo/io/image_formats.h"
#include "video/report/report_json.h"
#include "video/signature/copy_image.h"

namespace octavo {

namespace fs = std::filesystem;

namespace {

// Tells the steps of work on both clips by their phases.
template <class PhasesOf>
ProgressSink in_phases_of(const fs::path& a, const fs::path& b, const VideoOptions& video, const ProgressSink& progress,
                          const PhasesOf& phases_of) {
  if (!progress) return {};
  const std::vector<jobs::ReadFile> files = jobs::files_to_read(std::array{a, b}, video);
  ProgressSink steps = jobs::in_phases(progress, phases_of(files[0], files[1]));
  report_item(steps, a.string());
  return steps;
}

}  // namespace

ClipComparison compare(const CompareJob& job, const JobContext& context) {
  validate(job.copy);
  validate(job.video);
  if (!job.image.empty()) {
    const std::array<fs::path, 1> image{job.image};
    require_writable_images(image, true, "image");
    require_not_read(image, std::array<fs::path, 2>{job.a, job.b}, "image");
  }
  const ProgressSink steps = in_phases_of(job.a, job.b, job.video, context.progress, jobs::phases_of_comparing);
  ClipComparison found = compare_clips(job.a, job.b, job.copy, job.video, job.device, steps, job.further);
  if (!job.image.empty() && !found.segments.empty()) {
    write_image(job.image, draw_copy(found.segments.front(), job.a, job.b, job.video).view());
  }
  return found;
}

namespace {

Json segments_json(const ClipComparison& found) {
  return video_report::as_json(found.segments, {"a", timelines::frames_of(found.query_facts)},
                               {"b", timelines::frames_of(found.other_facts)});
}

}  // namespace

std::string json_of(const CompareJob& job, const ClipComparison& found) {
  const Json json{{"clip_a", job.a.string()},
                  {"clip_b", job.b.string()},
                  {"seconds_a", found.query_seconds},
                  {"seconds_b", found.other_seconds},
                  {"coverage_a", coverage(found.segments, found.query_seconds, true)},
                  {"coverage_b", coverage(found.segments, found.other_seconds, false)},
                  {"reason", text_or_null(found.reason)},
                  {"segments", segments_json(found)}};
  return json_text(json, 2);
}

ClipAffinity find_affinity(const AffinityJob& job, const JobContext& context) {
  const std::array<fs::path, 2> read{job.a, job.b};
  if (!job.image.empty()) {
    const std::array image{job.image};
    require_writable_images(image, true);
    require_not_read(image, read);
  }
  if (!job.data.empty()) {
    const std::array data{job.data};
    require_ending(data, std::array<std::string_view, 1>{".npz"}, "data");
    require_writable(data);
    require_not_read(data, read, "data");
  }
  const auto phases_of = [&](const jobs::ReadFile& a, const jobs::ReadFile& b) {
    return jobs::phases_of_affinity(a, b, job.segments);
  };
  const ProgressSink steps = in_phases_of(job.a, job.b, job.video, context.progress, phases_of);
  ClipAffinity found{.matrix = affinity_of(job.a, job.b, job.affinity, job.video, job.device, steps), .shared = {}};
  if (job.segments) found.shared = compare_clips(job.a, job.b, {}, job.video, job.device, steps);
  if (!job.image.empty()) write_image(job.image, draw_affinity(found.matrix, found.shared.segments).view());
  if (!job.data.empty()) write_file(job.data, encode_npz_affinity(found.matrix, found.shared.segments));
  return found;
}

std::string json_of(const AffinityJob& job, const ClipAffinity& found) {
  Json blocks = Json::array();
  for (const AffinityBlock& b : found.matrix.blocks) {
    blocks.push_back({{"in_a", b.a_in}, {"out_a", b.a_out}, {"in_b", b.b_in}, {"out_b", b.b_out}, {"share", b.share}});
  }
  return json_text({{"clip_a", job.a.string()},
                    {"clip_b", job.b.string()},
                    {"measure", found.matrix.measure == AffinityMeasure::matches ? "matches" : "vlad"},
                    {"segments", segments_json(found.shared)},
                    {"min_affinity", found.matrix.limit},
                    {"blocks", std::move(blocks)}});
}

}  // namespace octavo
