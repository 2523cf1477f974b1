// A review: the archive is compared with itself, and the page is served until it is enough.

#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <string>

#include "io/files/output_file.h"
#include "io/files/temporary_folder.h"
#include "io/http/local_server.h"
#include "octavo/error.h"
#include "octavo/jobs/archive_jobs.h"
#include "video/review/review.h"

namespace octavo {
namespace jobs {
namespace {

struct ReviewStopped {};

// The comparison ends where it tells its progress.
ProgressSink stopping_at(const JobContext& context) {
  return [&context](const ProgressStep& step) {
    if (context.stop.stop_requested()) throw ReviewStopped();
    if (context.progress) context.progress(step);
  };
}

// A page that leads a browser to the address.
std::filesystem::path write_opening(const std::filesystem::path& folder, const std::string& address) {
  std::filesystem::path file = folder / "open.html";
  write_file(file, fmt::format("<!DOCTYPE html>\n<meta charset=\"utf-8\"><meta http-equiv=\"refresh\" "
                               "content=\"0; url={0}\">\n<a href=\"{0}\">{0}</a>\n",
                               address));
  return file;
}

}  // namespace
}  // namespace jobs

void review_archive(const ReviewJob& job, const JobContext& context) {
  validate(job.review);
  validate(job.report);
  VideoArchive archive(job.archive);
  if (!archive.may_change()) {
    throw Error(ErrorCode::file_error,
                fmt::format("the archive '{}' cannot be changed, so that it takes no verdicts", job.archive.string()));
  }
  const io::TemporaryFolder folder("octavo-review");
  std::optional<review::Review> review;
  const std::uint64_t max_upload = static_cast<std::uint64_t>(job.review.max_upload) * 1'000'000;
  io::LocalServer server(
      {.port = job.review.port, .upload_path = "search", .upload_folder = folder.path(), .max_upload = max_upload},
      [&review](const io::HttpRequest& request) { return review->answer(request); });
  SearchOptions search = job.search;
  search.isa = job.device.isa;
  report_item(context.progress, job.archive.string());
  try {
    VideoReport report = report_duplicates(archive, job.report, search, job.video, jobs::stopping_at(context));
    for (const ReportFailure& failure : report.failures) {
      // The files that the archive could not take are no failures of this job.
      if (failure.is_lost) report_failure(context, failure.reason);
    }
    review.emplace(archive, std::move(report),
                   review::ReviewSettings{.report = job.report,
                                          .search = search,
                                          .video = job.video,
                                          .device = job.device,
                                          .folder = folder.path(),
                                          .max_upload = max_upload});
  } catch (const jobs::ReviewStopped&) {
    return;
  }
  if (job.ready) job.ready(server.address(), jobs::write_opening(folder.path(), server.address()));
  server.run(context.stop);
}

}  // namespace octavo
