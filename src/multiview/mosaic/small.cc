// The mosaic at a small size, in which exposure is found, and seams later.

#include "multiview/mosaic/small.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <utility>

#include "multiview/mosaic/clipped.h"
#include "multiview/mosaic/coarse.h"
#include "multiview/mosaic/exposure.h"
#include "multiview/mosaic/highlights.h"
#include "multiview/mosaic/local_gain.h"
#include "multiview/mosaic/warp.h"

namespace octavo::mosaic {
namespace {

// [pixel] of a small copy, of all small copies, and of the small canvas. They bound the time of the graph cut, and
// memory; not tuned.
constexpr double small_pixels = 1e5, all_small_pixels = 3e7, largest_small_canvas = 3e7;

using Part = MosaicPlan::Details::Part;

// The samples of a small copy, which has 0 and 65535 for its scale, that are the values of another scale.
ValueRange scale_in_copy(const ValueRange& own, const ValueRange& other) {
  const auto at = [&](double value) { return (value - own.low) / (own.high - own.low) * 65535; };
  return {at(other.low), at(other.high)};
}

void show_small(const MosaicPlan& plan, MosaicPlan::Details& details, const std::vector<Stored>& small) {
  for (std::size_t i = 0; i < plan.images.size(); ++i) {
    if (plan.images[i].status != MosaicImageStatus::placed) continue;
    Geometry geometry = details.geometry[i].resized({small[i].colours.cols, small[i].colours.rows});
    geometry = geometry.resized(size_to_draw(geometry, details.small));
    const Stored copy = small[i].resized(geometry.size);
    const cv::Mat& pixels = copy.colours;
    const ValueRange scale = scale_in_copy(copy.scale, plan.images[i].scale);
    for (const cv::Rect& place : places(geometry, details.small)) {
      Lookup lookup = look_up(geometry, details.small, place);
      leave_holes(lookup, copy.shown);
      if (lookup.inside.empty()) continue;
      details.parts.push_back({static_cast<int>(i),
                               place,
                               sample(pixels, scale, lookup),
                               geometry.size,
                               places_of(lookup, geometry.size),
                               lookup.inside,
                               lookup.inside.clone(),
                               {}});
    }
  }
}

Correction correction_of(const MosaicPlan& plan, const Part& part) {
  return {plan.images[static_cast<std::size_t>(part.image)].gain, plan.vignetting};
}

// The colours of a corrected part before its correction: to keep them all would take half as much memory again.
cv::Mat uncorrected(const MosaicPlan& plan, const Part& part) {
  Correction inverse = correction_of(plan, part);
  for (double& gain : inverse.gain) gain = 1 / gain;
  for (double& term : inverse.vignetting) term = -term;
  cv::Mat colours = part.colours.clone();
  correct(colours, part.at, part.size, inverse);
  return colours;
}

// The scale of the small canvas, for one of the canvas. Images on it are no larger than their small copies.
double small_scale(const MosaicPlan& plan, const MosaicPlan::Details& details, const std::vector<Stored>& small) {
  const Canvas& canvas = details.canvas;
  const double pixels = static_cast<double>(canvas.width) * static_cast<double>(canvas.height);
  double factor = std::min(1.0, std::sqrt(largest_small_canvas / pixels));
  for (std::size_t i = 0; i < plan.images.size(); ++i) {
    if (plan.images[i].status != MosaicImageStatus::placed) continue;
    const double copy = static_cast<double>(small[i].colours.cols) / details.geometry[i].size.width;
    factor = std::min(factor, copy * std::max(1.0, pixels_on_one(details.geometry[i], canvas)));
  }
  return factor;
}

}  // namespace

Stored small_copy(const Stored& image, std::size_t images) {
  const cv::Mat& colours = image.colours;
  const double pixels = std::min(small_pixels, all_small_pixels / static_cast<double>(images));
  const double factor = std::min(1.0, std::sqrt(pixels / static_cast<double>(colours.total())));
  Stored copy = image.resized({std::max(1, static_cast<int>(std::lround(colours.cols * factor))),
                               std::max(1, static_cast<int>(std::lround(colours.rows * factor)))});
  const double scale = 65535 / (image.scale.high - image.scale.low);
  copy.colours.convertTo(copy.colours, CV_16U, scale, -image.scale.low * scale);
  return copy;
}

void draw_small(const MosaicPlan& plan, MosaicPlan::Details& details, const std::vector<Stored>& small) {
  details.small = details.canvas.scaled(small_scale(plan, details, small));
  show_small(plan, details, small);
}

void correct_exposure(MosaicPlan& plan, MosaicPlan::Details& details) {
  estimate_exposure(plan, details.parts);
  const cv::Size canvas(static_cast<int>(details.small.width), static_cast<int>(details.small.height));
  std::vector<cv::Mat> lost;
  for (Part& part : details.parts) {
    lost.push_back(clipped(part.colours));
    correct(part.colours, part.at, part.size, correction_of(plan, part));
  }
  leave_out_clipped(details.parts, lost);
  leave_out_coarse(details.parts, canvas, details.small.scale / details.canvas.scale);
}

void even_out(MosaicPlan& plan, MosaicPlan::Details& details) {
  correct_exposure(plan, details);
  if (!has_own_unit(plan.values, plan.depth)) {
    details.white = white_of(details.parts);
    for (Part& part : details.parts) keep_white(part.colours, uncorrected(plan, part), details.white);
  }
  details.local_gain = local_gains(details.parts, plan.images.size());
  for (Part& part : details.parts) {
    correct_locally(part.colours, part.at, details.local_gain[static_cast<std::size_t>(part.image)]);
    part.at.release();
  }
}

}  // namespace octavo::mosaic
