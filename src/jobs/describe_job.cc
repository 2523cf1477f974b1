// Descriptors of given keypoints: image by image, each with its file of keypoints.

#include "octavo/jobs/image_jobs.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/core/stopwatch.h"
#include "io/files/output_file.h"
#include "jobs/each_item.h"
#include "jobs/read_input.h"
#include "octavo/extractor.h"
#include "octavo/io/feature_files.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

// Refuses outputs that are no files of descriptions, or are read, or cannot be written.
void check_descriptions(const DescribeJob& job) {
  std::vector<fs::path> written, read;
  for (const KeypointsOfImage& item : job.items) {
    read.insert(read.end(), {item.file, item.keypoints});
    if (item.output.empty()) continue;
    require_description_file(item.output);
    written.push_back(item.output);
  }
  require_not_read(written, read);
  require_writable(written);
}

void tell_left_out(const KeypointsOfImage& item, const std::vector<LeftOut>& left_out, const JobContext& context) {
  constexpr std::size_t most = 10;
  const std::string file = item.keypoints.string();
  for (std::size_t i = 0; i < std::min(most, left_out.size()); ++i) {
    report_warning(context, fmt::format("{}: keypoint {} {}, and is left out", file, left_out[i].input,
                                        sentence_of(left_out[i].reason)));
  }
  if (left_out.size() <= most) return;
  report_warning(context, fmt::format("{}: {} further keypoints are left out", file, left_out.size() - most));
}

}  // namespace

DescribeSummary describe_keypoints(const DescribeJob& job, const JobContext& context) {
  check_descriptions(job);
  DeviceOptions device = job.device;
  device.progress = context.progress;
  Extractor extractor = make_extractor(job.detector, device);
  DescribeSummary summary;
  summary.is_finished =
      jobs::do_each(job.items, context, summary.done, summary.failed, [&](const KeypointsOfImage& item) {
        const Photograph photograph = jobs::read_input(item.file, job.read, job.standard_input);
        const std::vector<Keypoint> keypoints = read_keypoints(item.keypoints);
        const Stopwatch stopwatch;
        const Description found = extractor.describe(photograph.image.view(), keypoints, job.orientations);
        const double seconds = stopwatch.milliseconds() / 1000;
        tell_left_out(item, found.left_out, context);
        if (!item.output.empty()) write_description(item.output, found);
        return !job.take || job.take({item, found, keypoints.size(), seconds});
      });
  return summary;
}

}  // namespace octavo
