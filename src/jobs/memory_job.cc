// The memory that work on images would take, image by image.

#include "jobs/each_item.h"
#include "jobs/memory_report.h"
#include "jobs/read_input.h"

namespace octavo {

std::vector<MemoryReport> estimate_memory(const MemoryJob& job, const JobContext& context) {
  std::vector<MemoryReport> reports;
  std::size_t done = 0, failed = 0;
  jobs::do_each(job.images, context, done, failed, [&](const ImageFile& image) {
    ImageView shape = jobs::read_input(image.file, job.read, job.standard_input).image.view();
    shape.data = nullptr;
    const std::uint64_t pixels =
        static_cast<std::uint64_t>(shape.stride) * static_cast<std::uint64_t>(shape.height) * job.images_at_a_time;
    reports.push_back({image.file.string(), shape, pixels, job.estimate(shape)});
    return true;
  });
  return reports;
}

}  // namespace octavo
