#include "octavo/jobs/archive_jobs.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "engine/core/check.h"
#include "io/files/ending.h"
#include "io/files/output_file.h"
#include "octavo/error.h"
#include "video/report/report_files.h"
#include "video/report/report_images.h"

namespace octavo {
namespace jobs {
namespace {

namespace fs = std::filesystem;

// A file of the report: its option, and the endings that its name may have.
struct ReportFile {
  std::string option;
  fs::path file;
  std::vector<std::string_view> endings;
};

std::vector<ReportFile> files_of_report(const ReportJob& job) {
  std::vector<ReportFile> files{{"output", job.output, {".html", ".htm"}},
                                {"csv", job.csv, {".csv"}},
                                {"json_output", job.json_output, {".json"}},
                                {"otio", job.otio, {".otio"}}};
  std::erase_if(files, [](const ReportFile& one) { return one.file.empty(); });
  return files;
}

[[noreturn]] void refuse_file(const ReportFile& one, const std::string& why) {
  throw Error(ErrorCode::invalid_option, InvalidOption{one.option, fmt::format("\"{}\"", one.file.string()), why});
}

// Before the work: each file is one of its kind, and no two are the same.
void require_fitting_names(const std::vector<ReportFile>& files) {
  if (files.empty()) {
    throw Error(ErrorCode::invalid_option, "no output given: `output`, `csv`, `json_output` or `otio`");
  }
  for (auto one = files.begin(); one != files.end(); ++one) {
    if (std::ranges::find(one->endings, io::ending_of(one->file)) == one->endings.end()) {
      refuse_file(*one, "must end in one of " + list_of(one->endings));
    }
    const auto same = std::find_if(files.begin(), one, [&](const ReportFile& other) {
      return archive_path(other.file) == archive_path(one->file);
    });
    if (same != one) refuse_file(*one, fmt::format("is the same file as `{}`", same->option));
  }
}

// Before the work: the files can be written, and none of them is a clip.
void require_fitting_places(const std::vector<ReportFile>& files, const ReportJob& job, const VideoArchive& archive) {
  std::vector<fs::path> written, read = job.clips;
  for (const ReportFile& one : files) written.push_back(one.file);
  require_writable(written);
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
  const std::vector<jobs::ReportFile> files = jobs::files_of_report(job);
  jobs::require_fitting_names(files);
  const VideoArchive archive(job.archive);
  jobs::require_fitting_places(files, job, archive);
  report_item(context.progress, job.archive.string());
  const VideoReport report = jobs::report_of(job, archive, context.progress);
  std::string page;
  if (!job.output.empty()) {
    page = page_of(report, report_images(report, archive, job.report, job.video, job.device, context.progress));
  }
  if (!job.csv.empty()) write_file(job.csv, csv_of(report));
  if (!job.json_output.empty()) write_file(job.json_output, json_of(report));
  if (!job.otio.empty()) write_file(job.otio, otio_of(report));
  if (!job.output.empty()) write_file(job.output, page);
  for (const ReportFailure& failure : report.failures) {
    // The files that the archive could not take are no failures of this job.
    if (!job.clips.empty() || failure.is_lost) report_failure(context, failure.reason);
  }
}

}  // namespace octavo
