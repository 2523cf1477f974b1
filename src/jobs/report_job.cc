#include "octavo/jobs/archive_jobs.h"

#include <string>

#include "io/files/output_file.h"
#include "jobs/named_outputs.h"
#include "jobs/timeline_outputs.h"
#include "octavo/error.h"
#include "video/report/report_files.h"
#include "video/report/report_images.h"

namespace octavo {
namespace jobs {
namespace {

namespace fs = std::filesystem;

std::vector<NamedOutput> files_of_report(const ReportJob& job) {
  std::vector<NamedOutput> files{{"output", job.output, {".html", ".htm"}},
                                 {"csv", job.csv, {".csv"}},
                                 {"json_output", job.json_output, {".json"}},
                                 {"otio", job.otio, {".otio"}},
                                 {"fcpxml", job.fcpxml, {".fcpxml"}}};
  std::erase_if(files, [](const NamedOutput& one) { return one.file.empty(); });
  return files;
}

// Before the work: no output is a clip.
void require_no_clip(const std::vector<NamedOutput>& files, const ReportJob& job, const VideoArchive& archive) {
  std::vector<fs::path> written, read = job.clips;
  for (const NamedOutput& one : files) written.push_back(one.file);
  for (const ArchivedFile& file : archive.files()) read.push_back(file.file);
  require_not_read(written, read);
}

VideoReport report_of(const ReportJob& job, const VideoArchive& archive, const ProgressSink& progress) {
  SearchOptions search = job.search;
  search.isa = job.device.isa;
  if (job.clips.empty()) return report_duplicates(archive, job.report, search, job.video, progress);
  return report_search(archive, job.clips, job.report, search, query_signature_options(), job.video, job.device,
                       progress, job.negative);
}

}  // namespace
}  // namespace jobs

void write_report(const ReportJob& job, const JobContext& context) {
  const std::vector<jobs::NamedOutput> files = jobs::files_of_report(job);
  if (files.empty() && job.edl.empty()) {
    throw Error(ErrorCode::invalid_option,
                "no output given: `output`, `csv`, `json_output`, `otio`, `edl` or `fcpxml`");
  }
  jobs::require_fitting(files);
  if (!job.edl.empty()) require_writable_folder(job.edl);
  const VideoArchive archive(job.archive);
  jobs::require_no_clip(files, job, archive);
  report_item(context.progress, job.archive.string());
  const VideoReport report = jobs::report_of(job, archive, context.progress);
  std::string page;
  if (!job.output.empty()) {
    page = page_of(report, report_images(report, archive, job.report, job.video, job.device, context.progress));
  }
  if (!job.csv.empty()) write_file(job.csv, csv_of(report));
  if (!job.json_output.empty()) write_file(job.json_output, json_of(report));
  jobs::write_timelines(timelines_of(report), {job.otio, job.edl, job.fcpxml}, context);
  if (!job.output.empty()) write_file(job.output, page);
  for (const ReportFailure& failure : report.failures) {
    // The files that the archive could not take are no failures of this job.
    if (!job.clips.empty() || failure.is_lost) report_failure(context, failure.reason);
  }
}

}  // namespace octavo
