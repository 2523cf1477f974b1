// Two images are read with one range of values, aligned and drawn.

#include "octavo/jobs/mosaic_jobs.h"

#include <array>
#include <utility>

#include "io/files/output_file.h"
#include "io/json/json.h"
#include "io/json/matrix_json.h"
#include "jobs/image_masks.h"
#include "jobs/no_keypoints.h"
#include "jobs/read_input.h"
#include "octavo/image_view.h"
#include "octavo/io/drawing.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace jobs {
namespace {

namespace fs = std::filesystem;

// The name of a drawing: the output's, with `part` before the ending.
fs::path drawing(const AlignJob& job, const std::string& part) {
  fs::path file = job.output;
  return file.replace_extension(part + file.extension().string());
}

void require_fit_drawings(const AlignJob& job) {
  if (job.output.empty()) return;
  std::vector<fs::path> written;
  for (const char* const part : {"", ".matches", ".inliers", ".checkerboard"}) written.push_back(drawing(job, part));
  require_not_read(written, std::array<fs::path, 2>{job.a, job.b});
  require_writable_images(written, true);
}

// One range of values for both images, which belong together. None for images of two types.
std::optional<ValueRange> share_range(Photograph& a, Photograph& b) {
  if (a.image.type() != b.image.type()) return std::nullopt;
  if (a.scale == b.scale) return a.scale;
  const ValueRange both = joined(a.scale, b.scale);
  for (Photograph* const one : {&a, &b}) {
    map_from_full_scale(one->image, one->scale);
    map_to_full_scale(one->image, both);
    one->scale = both;
  }
  return both;
}

class Drawings {
 public:
  Drawings(const AlignJob& job, const JobContext& context, const ImageView& a, const ImageView& b,
           const std::optional<ValueRange>& scale, const Alignment& alignment)
      : job_(job), progress_(context.progress), a_(a), b_(b), scale_(scale), alignment_(alignment) {}

  [[nodiscard]] Image both(const std::string& name) const {
    Image both = blend(a_, b_, alignment_.homography.b_from_a, job_.blend, as_items(progress_));
    if (scale_) restore_values(both, *scale_, name);
    return both;
  }

  std::vector<fs::path> write() {
    const RobustModel& homography = alignment_.homography;
    write(".matches", draw_matches(a_, alignment_.a, b_, alignment_.b, alignment_.matches));
    if (!homography.found) return std::move(written_);
    write(".inliers", draw_matches(a_, alignment_.a, b_, alignment_.b, alignment_.matches, homography.inliers));
    write("", both(job_.output.string()));
    write(".checkerboard", checkerboard(a_, b_, homography.b_from_a, as_items(progress_)));
    return std::move(written_);
  }

 private:
  void write(const std::string& part, const Image& image) {
    const fs::path file = drawing(job_, part);
    report_item(progress_, file.string());
    write_image(file, image.view());
    written_.push_back(file);
  }

  const AlignJob& job_;
  const ProgressSink& progress_;
  const ImageView &a_, &b_;
  const std::optional<ValueRange>& scale_;
  const Alignment& alignment_;
  std::vector<fs::path> written_;
};

}  // namespace
}  // namespace jobs

std::string json_of(const AlignJob& job, const AlignResult& result) {
  const Alignment& alignment = result.alignment;
  const RobustModel& homography = alignment.homography;
  Json json{{"image_a", job.a.string()},
            {"image_b", job.b.string()},
            {"keypoint_count_a", alignment.a.size()},
            {"keypoint_count_b", alignment.b.size()},
            {"views", word_of(alignment.views)},
            {"retried", alignment.retried},
            {"match_count", alignment.matches.size()},
            {"inlier_count", homography.inlier_count},
            {"reprojection_error", homography.found ? Json(homography.reprojection_error) : Json()},
            {"homography", homography.found ? matrix_json(homography.b_from_a) : Json()},
            {"warnings", Json::array()},
            {"warning_kinds", Json::array()},
            {"files", Json::array()}};
  for (const AlignmentWarning& warning : alignment.warnings) {
    json["warnings"].push_back(warning.sentence);
    json["warning_kinds"].push_back(word(warning.kind));
  }
  for (const std::filesystem::path& file : result.files) json["files"].push_back(file.string());
  return json_text(json);
}

AlignResult align_images(const AlignJob& job, const JobContext& context) {
  using namespace jobs;
  require_fit_drawings(job);
  validate(job.robust);
  DeviceOptions device = job.device;
  device.progress = context.progress;
  report_item(context.progress, "starting");
  Extractor extractor = make_extractor(job.detector, device);
  Matcher matcher(for_views(job.match, views_of(job.detector)), device);
  const Masks masks = masks_of_files(job.mask, job.read, job.standard_input, std::array{job.a, job.b}, context);
  const auto read = [&](const fs::path& file) {
    return masks.hidden(file.filename(), file.string(), [&](const Image* mask) {
      return job.load ? job.load(file, mask) : read_input(file, job.read, job.standard_input, mask);
    });
  };
  Photograph a = read(job.a), b = read(job.b);
  const std::optional<ValueRange> scale = share_range(a, b);
  const ImageView view_a = a.image.view(), view_b = b.image.view();
  AlignResult result{.alignment = align(extractor, matcher, view_a, view_b, job.robust, as_items(context.progress)),
                     .files = {}};
  if (result.alignment.a.size() == 0) warn_of_no_keypoints(context, job.a, view_a, !job.mask.empty());
  if (result.alignment.b.size() == 0) warn_of_no_keypoints(context, job.b, view_b, !job.mask.empty());
  if (job.retry) {
    result.alignment = align_anew(std::move(result.alignment), view_a, view_b, {job.detector, job.match, device},
                                  job.robust, as_items(context.progress));
  }
  Drawings drawings(job, context, view_a, view_b, scale, result.alignment);
  if (job.take) {
    // Who takes the image can hold all types of samples, as a TIFF can.
    if (result.alignment.homography.found) job.take(drawings.both("both.tif").view());
  } else if (!job.output.empty()) {
    result.files = drawings.write();
  }
  return result;
}

}  // namespace octavo
