// Two images or files of features: they are loaded one after the other, matched, verified and drawn.

#include "octavo/jobs/match_jobs.h"

#include <fmt/core.h>

#include <array>
#include <span>
#include <utility>

#include "engine/core/stopwatch.h"
#include "io/images/mask.h"
#include "jobs/image_masks.h"
#include "jobs/no_keypoints.h"
#include "jobs/read_input.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/io/drawing.h"
#include "octavo/io/feature_files.h"
#include "octavo/multiview/geometry.h"

namespace octavo {
namespace {

struct Side {
  std::optional<Photograph> photograph;
  Features features;

  [[nodiscard]] ImageFacts facts() const { return photograph ? facts_of(*photograph) : ImageFacts(); }
};

// `letter` is a or b.
void check_side(const MatchTwoJob& job, const ImageOrFeatures& side, const std::optional<GivenCamera>& camera,
                char letter) {
  const bool is_known = !side.image_file().empty();
  if (job.draw && !is_known) {
    throw Error(ErrorCode::invalid_option,
                fmt::format("`output` draws on images: name that of {} with `image_{}`", side.file.string(), letter));
  }
  if (job.refine && !is_known) {
    throw Error(ErrorCode::invalid_option,
                fmt::format("`refine` looks at images: name that of {} with `image_{}`", side.file.string(), letter));
  }
  require_known_camera(job.verification, camera, is_known);
}

Side load(const MatchTwoJob& job, const ImageOrFeatures& from, const std::optional<GivenCamera>& camera,
          const Masks& masks, std::optional<Extractor>& extractor, const JobContext& context) {
  report_item(context.progress, from.file.string());
  Side side;
  if (const std::filesystem::path& image = from.image_file(); !image.empty()) {
    side.photograph = masks.hidden(image.filename(), image.string(), [&](const Image* mask) {
      return jobs::read_input(image, job.read, job.standard_input, mask);
    });
    require_focal_length(job.verification, camera, image.string(), side.facts());
  }
  if (from.is_stored()) {
    side.features = read_features(from.file);
    return side;
  }
  const ImageView& image = side.photograph->image.view();
  side.features = extract_shown(*extractor, image);
  if (side.features.size() == 0) jobs::warn_of_no_keypoints(context, from.file, image, !job.mask.empty());
  return side;
}

}  // namespace

bool ImageOrFeatures::is_stored() const { return looks_like_features(file); }

MatchedTwo match_two(const MatchTwoJob& job, const JobContext& context) {
  check_side(job, job.a, job.verification.camera, 'a');
  check_side(job, job.b, job.verification.second_camera(), 'b');
  DeviceOptions device = job.device;
  device.progress = context.progress;
  std::optional<Extractor> extractor;
  if (!job.a.is_stored() || !job.b.is_stored()) extractor = make_extractor(job.detector, device);
  Matcher matcher(for_views(job.match, views_of(job.detector)), device);
  const std::array<std::filesystem::path, 2> files{job.a.image_file(), job.b.image_file()};
  const Masks masks = jobs::masks_of_files(job.mask, job.read, {}, files, context);
  Side a = load(job, job.a, job.verification.camera, masks, extractor, context);
  Side b = load(job, job.b, job.verification.second_camera(), masks, extractor, context);
  MatchedTwo result;
  report_item(context.progress, fmt::format("matching {} x {} descriptors", a.features.size(), b.features.size()));
  const Stopwatch stopwatch;
  result.matches = matcher.match(a.features, b.features);
  result.match_seconds = stopwatch.milliseconds() / 1000;
  if (job.refine) {
    report_item(context.progress, "refining");
    refine_matches(a.photograph->image.view(), a.features, b.photograph->image.view(), b.features, result.matches);
  }
  if (job.verification.by != Verify::none) report_item(context.progress, "verifying");
  result.model = verified(job.verification, a.features, a.facts(), b.features, b.facts(), result.matches);
  if (job.draw) {
    report_item(context.progress, "drawing");
    const auto inliers =
        result.model ? std::span<const std::uint8_t>(result.model->inliers) : std::span<const std::uint8_t>();
    job.draw(draw_matches(a.photograph->image.view(), a.features, b.photograph->image.view(), b.features,
                          result.matches, inliers)
                 .view());
  }
  result.features_a = std::move(a.features);
  result.features_b = std::move(b.features);
  return result;
}

}  // namespace octavo
