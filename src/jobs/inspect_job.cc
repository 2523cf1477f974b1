// An image, or a frame of a video, and its mask are read, checked against each other, and inspected.

#include "octavo/jobs/image_jobs.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "io/files/output_file.h"
#include "io/images/mask.h"
#include "jobs/figures_text.h"
#include "jobs/image_masks.h"
#include "jobs/read_input.h"
#include "octavo/error.h"
#include "octavo/option_table.h"
#include "octavo/video/video.h"

namespace octavo {
namespace jobs {
namespace {

VideoFrame read_frame(const InspectJob& job) {
  const FrameChoice& choice = job.frame;
  if (!std::isfinite(choice.seconds)) {
    throw Error(ErrorCode::invalid_option, InvalidOption{"time", option_text(choice.seconds), "must be finite"});
  }
  VideoOptions options = job.video;
  // With a step of its index the wanted frame is the second one that is taken.
  options.every = choice.by_time ? 1 : std::max<std::int64_t>(choice.index, 1);
  Video video(job.image, options);
  std::optional<VideoFrame> last;
  while (std::optional<VideoFrame> frame = video.next()) {
    if (choice.by_time && last && frame->seconds > choice.seconds) return std::move(*last);
    last = std::move(frame);
    if (!choice.by_time && last->index == choice.index) return std::move(*last);
  }
  if (choice.by_time && last) return std::move(*last);
  throw Error(ErrorCode::file_error, fmt::format("'{}' has no frame {}: it has {}, from 0 on", job.image.string(),
                                                 choice.index, count_text(video.decoded(), "frame")));
}

struct NamedImage {
  std::string name;
  Image image;
};

// Without what the mask hides.
NamedImage read_inspected(const InspectJob& job, const Masks& masks) {
  if (looks_like_video(job.image)) {
    VideoFrame frame = read_frame(job);
    const std::string name = fmt::format("{}#{}", job.image.string(), frame.index);
    const auto read = [&](const Image*) { return Photograph{.image = std::move(frame.grey), .focal_length = {}}; };
    return {name, masks.hidden(job.image.filename(), name, read).image};
  }
  const auto read = [&](const Image* mask) { return read_input(job.image, job.read, job.standard_input, mask); };
  return {is_stream(job.image, job.standard_input) ? "stdin" : job.image.string(),
          masks.hidden(job.image.filename(), job.image.string(), read).image};
}

void require_point_inside(const std::optional<Point>& point, const Image& image) {
  if (!point) return;
  const bool is_inside =
      point->x >= -0.5 && point->x < image.width() - 0.5 && point->y >= -0.5 && point->y < image.height() - 0.5;
  if (is_inside) return;
  throw Error(ErrorCode::invalid_option, InvalidOption{"point", fmt::format("{},{}", point->x, point->y),
                                                       fmt::format("must lie in the image, which is {}x{} pixels",
                                                                   image.width(), image.height())});
}

}  // namespace
}  // namespace jobs

InspectResult inspect_image(const InspectJob& job, const JobContext& context) {
  using namespace jobs;
  DeviceOptions device = job.device;
  device.progress = context.progress;
  report_item(context.progress, job.image.string());
  check_inspection(job.detector, device, job.files);
  require_writable_folder(job.folder);
  const Masks masks = masks_of_files(job.mask, job.read, job.standard_input, std::array{job.image}, context);
  const NamedImage named = read_inspected(job, masks);
  const Image& image = named.image;
  require_point_inside(job.files.point, image);
  const auto mask = mask_of_alpha(image.view());
  for (const std::filesystem::path& input : {job.image, job.mask}) {
    if (!input.empty() && !is_stream(input, job.standard_input)) require_apart(input, job.folder);
  }
  InspectionFolderOptions files = job.files;
  files.image_name = named.name;
  return {.files = write_inspection(image.view(), mask ? &mask->view() : nullptr, job.detector, device, job.folder,
                                    files, context.progress),
          .size = {image.width(), image.height()}};
}

}  // namespace octavo
