// The page on which a person judges which clips of an archive are the same.

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>

#include <array>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "jobs/bindings.h"
#include "jobs/job_options.h"
#include "jobs/record.h"
#include "jobs/work.h"
#include "octavo/jobs/archive_jobs.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

namespace fs = std::filesystem;

struct Reviewed {};

// `ready` is called with the address and the file that opens it.
Told<Reviewed> review(const fs::path& archive, const nb::object& ready, bool exact_ends, bool mirrored,
                      const nb::dict& given, const nb::object& until, nb::object progress) {
  ReviewJob job{.archive = archive};
  job.search.mirrored = mirrored;
  Keywords keywords("review", given);
  keywords.set(job.review);
  keywords.set(job.report, {"exact_ends", "max_images"});
  keywords.set(job.search.copies);
  keywords.set(job.video, {"every", "fps", "size", "stored_luma", "weave", "fast", "range", "black", "white"});
  keywords.set(job.device);
  keywords.finish();
  job.report.exact_ends = exact_ends;
  std::mutex mutex;
  std::optional<std::array<std::string, 2>> page;  // that the caller was not told of yet
  job.ready = [&](const std::string& address, const fs::path& opening) {
    const std::lock_guard lock(mutex);
    page = {address, opening.string()};
  };
  // The page answers once the job's thread goes on, so the caller is told on its own thread.
  const nb::object is_enough = nb::cpp_function([&] {
    std::optional<std::array<std::string, 2>> there;
    {
      const std::lock_guard lock(mutex);
      there.swap(page);
    }
    if (there) ready(text_of((*there)[0]), text_of((*there)[1]));
    return !until.is_none() && nb::cast<bool>(nb::bool_(until()));
  });
  return Work(std::move(progress), Work::Stop::at_once, is_enough).tell([&](const JobContext& context) {
    review_archive(job, context);
    return Reviewed{};
  });
}

}  // namespace

void bind_review(nb::module_& m) {
  Record<Told<Reviewed>> reviewed(m, "Reviewed", "A review that has ended.");
  add_told(reviewed);
  m.def("review", &review, nb::arg("archive"), nb::arg("ready"), nb::arg("exact_ends"), nb::arg("mirrored"),
        nb::arg("options"), nb::arg("until").none(), nb::arg("progress").none());
}

}  // namespace octavo::python
