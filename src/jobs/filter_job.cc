// The trilateral filter, image by image.

#include "octavo/jobs/image_jobs.h"

#include <array>

#include "engine/core/stopwatch.h"
#include "io/files/output_file.h"
#include "jobs/each_item.h"
#include "jobs/read_input.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

void check_files(const FilterJob& job) {
  std::vector<fs::path> written, read;
  for (const ImageToFilter& item : job.items) {
    read.push_back(item.file);
    if (!item.output.empty()) written.push_back(item.output);
  }
  require_not_read(written, read);
  require_writable_images(written, false);
}

}  // namespace

FilterSummary filter_images(const FilterJob& job, const JobContext& context) {
  check_files(job);
  DeviceOptions device = job.device;
  device.progress = context.progress;
  Trilateral trilateral(job.options, device);
  FilterSummary summary;
  summary.is_finished = jobs::do_each(job.items, context, summary.done, summary.failed, [&](const ImageToFilter& item) {
    const Photograph photograph = jobs::read_input(item.file, job.read, job.standard_input);
    const bool is_written = !item.output.empty();
    if (is_written) require_writable_images(std::array{item.output}, photograph.image.channels() > 2);
    const Stopwatch stopwatch;
    Image filtered = trilateral.filter(photograph.image.view());
    const double seconds = stopwatch.milliseconds() / 1000;
    restore_values(filtered, photograph.scale, is_written ? item.output.string() : "standard output.png");
    if (is_written) write_image(item.output, filtered.view());
    return !job.take || job.take({item, filtered.view(), seconds});
  });
  return summary;
}

}  // namespace octavo
