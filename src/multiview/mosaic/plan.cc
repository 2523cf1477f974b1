// The way from images to a plan: features, pairs, groups, model, orientation, canvas, exposure, seams. Each step
// takes what those before have made.

#include <fmt/format.h>

#include <algorithm>

#include "io/opencv/opencv_error.h"
#include "multiview/mosaic/blend.h"
#include "multiview/mosaic/connect.h"
#include "multiview/mosaic/crop.h"
#include "multiview/mosaic/details.h"
#include "multiview/mosaic/find_pairs.h"
#include "multiview/mosaic/judge.h"
#include "multiview/mosaic/place.h"
#include "multiview/mosaic/read_images.h"
#include "multiview/mosaic/seams.h"
#include "multiview/mosaic/small.h"
#include "multiview/mosaic/things.h"
#include "octavo/error.h"
#include "octavo/multiview/mosaic.h"

namespace octavo {
namespace {

using mosaic::Connected;

// What is known of the images and their pairs before they are drawn.
MosaicPlan plan_of(std::vector<MosaicImage> images, const std::vector<ImageSize>& sizes, const Connected& connected,
                   double threshold) {
  MosaicPlan plan;
  plan.found = connected.found;
  plan.images = mosaic::with_statuses(std::move(images), connected);
  plan.pairs = mosaic::judged_pairs(connected, sizes);
  if (!plan.found) {
    plan.reason = mosaic::reason_of_none(plan.images, plan.pairs);
    return plan;
  }
  const MosaicCandidate& chosen = connected.choice.chosen;
  plan.model = chosen.model;
  plan.distortion = chosen.distortion;
  plan.why = connected.choice.why;
  plan.candidates = connected.choice.candidates;
  plan.reference = connected.tree.root;
  plan.residual = chosen.residual;
  plan.held_out = chosen.held_out;
  plan.loop_error = mosaic::largest_loop_error(connected, plan.pairs);
  plan.warnings = mosaic::warnings_of(connected, plan.images, plan.pairs, threshold);
  plan.images = mosaic::with_places(std::move(plan.images), connected);
  return plan;
}

// The plan with projection and canvas, and what draws them.
std::shared_ptr<MosaicPlan::Details> lay_out(MosaicPlan& plan, const MosaicOptions& options, int threads) {
  plan.projection = mosaic::projection_of(plan.images, plan.model, options.projection);
  mosaic::turn_to_centre(plan.images, plan.projection);
  const auto details = std::make_shared<MosaicPlan::Details>();
  details->options = options;
  details->threads = threads;
  details->geometry = mosaic::geometry_of(plan.images, plan.projection);
  const mosaic::Canvas canvas =
      mosaic::canvas_of_placed(plan.images, details->geometry, plan.projection, options.max_canvas);
  details->canvas = canvas;
  std::vector<int> shorter_sides;
  for (const std::size_t i : mosaic::placed_of(plan.images)) {
    mosaic::Geometry& geometry = details->geometry[i];
    geometry = geometry.resized(mosaic::size_to_draw(geometry, canvas));
    shorter_sides.push_back(std::min(geometry.size.width, geometry.size.height));
  }
  const auto median = shorter_sides.begin() + std::ssize(shorter_sides) / 2;
  std::nth_element(shorter_sides.begin(), median, shorter_sides.end());
  details->options.bands = mosaic::bands_of(*median, options.bands);
  plan.scale = canvas.scale;
  plan.left = canvas.left;
  plan.top = canvas.top;
  plan.width = static_cast<std::uint64_t>(canvas.width);
  plan.height = static_cast<std::uint64_t>(canvas.height);
  return details;
}

// One range of values for images of one type.
void share_values(MosaicPlan& plan, const std::vector<PixelType>& depths, MosaicExposure exposure) {
  const std::vector<std::size_t> placed = mosaic::placed_of(plan.images);
  for (const std::size_t i : placed) plan.depth = std::max(plan.depth, depths[i]);
  plan.values = full_scale(plan.depth, {});
  const bool is_one_type =
      std::all_of(placed.begin(), placed.end(), [&](std::size_t i) { return depths[i] == plan.depth; });
  if (is_one_type) {
    plan.values = plan.images[placed.front()].scale;
    for (const std::size_t i : placed) plan.values = joined(plan.values, plan.images[i].scale);
    for (const std::size_t i : placed) plan.images[i].scale = plan.values;
  }
  plan.exposure = exposure == MosaicExposure::automatic ? !mosaic::has_own_unit(plan.values, plan.depth)
                                                        : exposure == MosaicExposure::on;
}

MosaicPlan made_plan(std::span<const MosaicInput> inputs, Extractor& extractor, Matcher& matcher,
                     const RobustOptions& robust, const MosaicOptions& options, const ProgressSink& progress) {
  auto [images, features, greys] = mosaic::read_images(inputs, extractor, progress);
  std::vector<mosaic::VerifiedPair> pairs =
      mosaic::find_pairs(images, std::move(features), greys, extractor, matcher, robust, options, progress);
  const Connected connected =
      mosaic::connect(std::move(pairs), {images.sizes, images.focal_lengths}, greys, robust, options, progress);
  greys.clear();
  MosaicPlan plan = plan_of(std::move(images.told), images.sizes, connected, robust.threshold);
  if (!plan.found) return plan;
  const std::shared_ptr<MosaicPlan::Details> details = lay_out(plan, options, extractor.threads());
  share_values(plan, images.depths, options.exposure);
  report(progress, "exposure");
  mosaic::draw_small(plan, *details, images.small);
  if (plan.exposure) mosaic::even_out(plan, *details);
  report(progress, "seams");
  if (options.seams) {
    mosaic::find_seams(details->parts);
    mosaic::find_hidden_things(details->parts);
  }
  for (MosaicPlan::Details::Part& part : details->parts) part.colours.convertTo(part.colours, CV_8U, 255);
  (options.crop ? mosaic::crop : mosaic::trim)(plan, *details, images.small);
  plan.details = details;
  return plan;
}

}  // namespace

MosaicPlan plan_mosaic(std::span<const MosaicInput> inputs, Extractor& extractor, Matcher& matcher,
                       const RobustOptions& robust, const MosaicOptions& options, const ProgressSink& progress) try {
  validate(options);
  validate(robust);
  if (inputs.size() < 2) {
    throw Error(ErrorCode::invalid_argument, fmt::format("a mosaic needs at least 2 images, but there {} {}",
                                                         inputs.size() == 1 ? "is" : "are", inputs.size()));
  }
  return made_plan(inputs, extractor, matcher, robust, options, progress);
} catch (const cv::Exception& error) {
  throw_error_of(error, "no mosaic can be planned");
}

}  // namespace octavo
