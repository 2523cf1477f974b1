// The mosaic at its full size, block by block. A block is drawn with a margin that holds all that its blending reaches,
// and blocks begin at multiples of 2^bands, so that the pyramids of neighbours have the same pixels: the mosaic does
// not depend on the blocks. Some are drawn at a time, each by a thread, and handed over in their order.

#include "multiview/mosaic/blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <opencv2/imgproc.hpp>

#include "engine/device/cpu_pool.h"
#include "io/opencv/cv_mat.h"
#include "multiview/mosaic/blend.h"
#include "multiview/mosaic/highlights.h"
#include "multiview/mosaic/local_gain.h"
#include "octavo/image.h"

namespace octavo::mosaic {
namespace {

using Part = MosaicPlan::Details::Part;

// Blocks drawn at a time. It bounds memory: each takes up to 0.8 GiB while it is drawn.
constexpr int most_blocks = 2;

// An area of the canvas on the small canvas: pixel x of it is pixel f·x + offset of a part.
struct OnSmall {
  double f, x, y;
};

OnSmall on_small(const Part& part, const MosaicPlan::Details& details, const cv::Point& corner) {
  const double f = details.small.scale / details.canvas.scale;
  return {f, (corner.x + details.canvas.left) * f - details.small.left - part.place.x,
          (corner.y + details.canvas.top) * f - details.small.top - part.place.y};
}

// [pixel] How far beyond a block its blending reaches.
int blending_margin(const MosaicPlan::Details& details) {
  return details.options.bands == 0 ? 0 : margin_of(details.options.bands);
}

// The pixels of the canvas on which a part may be shown.
cv::Rect large_place(const Part& part, const MosaicPlan::Details& details) {
  constexpr int more = 2;  // [pixel] of the small canvas: the image may end there; not tuned
  const OnSmall at = on_small(part, details, {0, 0});
  const auto large = [&](double small, double offset) { return static_cast<int>(std::floor((small - offset) / at.f)); };
  return {cv::Point(large(-more, at.x), large(-more, at.y)),
          cv::Point(large(part.place.width + more, at.x) + 1, large(part.place.height + more, at.y) + 1)};
}

// A mask of a part, found on the small canvas, at the pixels of an area of the canvas, 0…1; empty if it is 0 there.
cv::Mat large_mask(const cv::Mat& mask, const Part& part, const MosaicPlan::Details& details, const cv::Rect& area) {
  const auto [f, x, y] = on_small(part, details, area.tl());
  const cv::Rect needed(static_cast<int>(std::floor(x)) - 2, static_cast<int>(std::floor(y)) - 2,
                        static_cast<int>(std::ceil(area.width * f)) + 5,
                        static_cast<int>(std::ceil(area.height * f)) + 5);
  const cv::Rect there = needed & cv::Rect({0, 0}, mask.size());
  if (there.empty() || cv::countNonZero(mask(there)) == 0) return {};
  cv::Mat from, to;
  mask(there).convertTo(from, CV_32F, 1.0 / 255);
  const cv::Matx23d small_from_large(f, 0, x - there.x, 0, f, y - there.y);
  cv::warpAffine(from, to, small_from_large, area.size(), cv::INTER_LINEAR | cv::WARP_INVERSE_MAP);
  return to;
}

// Layer::hidden.
cv::Mat hidden_in(int image, const MosaicPlan::Details& details, const cv::Rect& area) {
  cv::Mat hidden;
  for (const Part& part : details.parts) {
    if (part.image != image || part.hidden.empty()) continue;
    const cv::Mat mask = large_mask(part.hidden, part, details, area);
    if (mask.empty()) continue;
    if (hidden.empty()) hidden = cv::Mat::zeros(area.size(), CV_8U);
    hidden |= mask > 0.5;
  }
  return hidden;
}

// Gives an image of this size the pixels where its weight is the largest so far.
void claim(int image, ImageSize size, const cv::Mat& mask, const Lookup& lookup, cv::Mat best, cv::Mat owner) {
  // The weight (0…1) that an image has at least where it shows something, more of it far from the image's edges: there
  // no small mask holds its pixels. It is far below that of any mask; not tuned.
  constexpr float least = 1e-3F;
  const auto right = static_cast<float>(size.width - 1), bottom = static_cast<float>(size.height - 1);
  const auto shorter = static_cast<float>(std::min(size.width, size.height));
  for (int y = 0; y < mask.rows; ++y) {
    const auto *m = mask.ptr<float>(y), *at_x = lookup.x.ptr<float>(y), *at_y = lookup.y.ptr<float>(y);
    const auto* inside = lookup.inside.ptr<unsigned char>(y);
    auto* b = best.ptr<float>(y);
    auto* o = owner.ptr<int>(y);
    for (int x = 0; x < mask.cols; ++x) {
      const float from_edge = std::min({at_x[x], at_y[x], right - at_x[x], bottom - at_y[x]}) + 0.5F;
      const float weight = inside[x] == 0 ? 0 : m[x] + least * (from_edge / shorter + least);
      if (weight <= b[x]) continue;
      b[x] = weight;
      o[x] = image;
    }
  }
}

// The places of the images that own pixels.
std::map<int, cv::Rect> places_of_owners(const cv::Mat& owner) {
  std::map<int, cv::Rect> places;
  for (int y = 0; y < owner.rows; ++y) {
    const int* o = owner.ptr<int>(y);
    for (int x = 0, end = 0; x < owner.cols; x = end) {
      while (end < owner.cols && o[end] == o[x]) ++end;
      if (o[x] >= 0) places[o[x]] |= cv::Rect(x, y, end - x, 1);
    }
  }
  return places;
}

// The bands reach beyond the edges of the images, and behind the seams. There each is continued by the one that is
// shown, so that it adds nothing of its own, if it ends or has a hidden thing; where none is shown, by its reflection.
void continue_beyond_edges(std::vector<cv::Mat>& coloured, const std::vector<Layer>& layers, const cv::Size& area) {
  cv::Mat joined(area, CV_32FC3), shown = cv::Mat::zeros(area, CV_8U);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const cv::Mat own = layers[i].mask > 0.5;
    coloured[i].copyTo(joined(layers[i].place), own);
    shown(layers[i].place) |= own;
  }
  for (std::size_t i = 0; i < layers.size(); ++i) {
    cv::Mat other = ~layers[i].lookup.inside;
    if (!layers[i].hidden.empty()) other |= layers[i].hidden;
    joined(layers[i].place).copyTo(coloured[i], shown(layers[i].place) & other);
  }
}

// The corrected colours of an image.
cv::Mat corrected(int image, const Lookup& lookup, const MosaicPlan& plan, const Pixels& pixels) {
  const MosaicPlan::Details& details = *plan.details;
  const auto i = static_cast<std::size_t>(image);
  const cv::Mat colours = sample(pixels(image).colours, plan.images[i].scale, lookup);
  if (!plan.exposure) return colours;
  for (const cv::Range& strip : strips_of(colours.rows)) {
    cv::Mat some = colours.rowRange(strip);
    const cv::Mat places = places_of(lookup.rows(strip), details.geometry[i].size);
    const cv::Mat before = details.white > 0 ? some.clone() : cv::Mat();
    correct(some, places, details.geometry[i].size, {plan.images[i].gain, plan.vignetting});
    if (details.white > 0) keep_white(some, before, details.white);
    if (!details.local_gain.empty()) correct_locally(some, places, details.local_gain[i]);
  }
  return colours;
}

// The colours of the inner part of an area with all its layers.
cv::Mat blended(const std::vector<Layer>& layers, const MosaicPlan& plan, const Pixels& pixels, const cv::Size& area,
                const cv::Rect& inner) {
  if (layers.size() == 1) {  // alone it stays as it is
    const Layer& layer = layers.front();
    const cv::Rect seen = layer.place & inner;
    cv::Mat alone(inner.size(), CV_32FC3);
    if (seen.empty()) return alone;
    corrected(layer.image, layer.lookup.part(seen - layer.place.tl()), plan, pixels).copyTo(alone(seen - inner.tl()));
    return alone;
  }
  const int bands = plan.details->options.bands;
  std::vector<cv::Mat> coloured;
  for (const Layer& layer : layers) coloured.push_back(corrected(layer.image, layer.lookup, plan, pixels));
  if (bands > 0) continue_beyond_edges(coloured, layers, area);
  Blender blender(area, bands);
  for (std::size_t i = 0; i < layers.size(); ++i) blender.add(layers[i].place, coloured[i], layers[i].mask);
  return blender.blended()(inner);
}

// 255 where one of the layers is shown, in the inner part of an area.
cv::Mat visible_in(const std::vector<Layer>& layers, const cv::Rect& inner) {
  cv::Mat visible = cv::Mat::zeros(inner.size(), CV_8U);
  for (const Layer& layer : layers) {
    const cv::Rect seen = layer.place & inner;
    if (!seen.empty()) visible(seen - inner.tl()) |= layer.mask(seen - layer.place.tl()) > 0.5;
  }
  return visible;
}

int rounded_up(int length, int grid) { return (length + grid - 1) / grid * grid; }

// A block as RGB and alpha; transparent where no image is.
cv::Mat draw_block(const MosaicPlan& plan, const Pixels& pixels, const LayersOf& layers_of, const cv::Rect& block) {
  const MosaicPlan::Details& details = *plan.details;
  const int bands = details.options.bands;
  const int margin = blending_margin(details), grid = 1 << bands;
  const cv::Rect canvas(0, 0, rounded_up(static_cast<int>(plan.width), grid),
                        rounded_up(static_cast<int>(plan.height), grid));
  const cv::Rect area = cv::Rect(block.x - margin, block.y - margin, rounded_up(block.width, grid) + 2 * margin,
                                 rounded_up(block.height, grid) + 2 * margin) &
                        canvas;
  const std::vector<Layer> layers = layers_of(area);
  const int depth = plan.depth == PixelType::u8 ? CV_8U : plan.depth == PixelType::u16 ? CV_16U : CV_32F;
  const double full = depth == CV_8U ? 255 : depth == CV_16U ? 65535 : 1;
  const bool is_measured = has_own_unit(plan.values, plan.depth);
  const double nothing = !is_measured ? full : depth == CV_32F ? std::numeric_limits<double>::quiet_NaN() : 0;
  cv::Mat result(block.size(), CV_MAKETYPE(depth, 4), cv::Scalar(nothing, nothing, nothing, 0));
  if (layers.empty()) return result;
  const cv::Rect inner = block - area.tl();
  cv::Mat joined = blended(layers, plan, pixels, area.size(), inner), colours;
  if (details.white > 0) compress_highlights(joined, details.white);
  joined.convertTo(colours, depth, plan.values.high - plan.values.low, plan.values.low);
  if (depth == CV_32F && !is_measured) colours = cv::max(0.0, cv::min(1.0, colours));
  cv::Mat opaque(block.size(), CV_MAKETYPE(depth, 4), cv::Scalar(full, full, full, full));
  const std::array<int, 6> channels{0, 0, 1, 1, 2, 2};
  cv::mixChannels(&colours, 1, &opaque, 1, channels.data(), 3);
  opaque.copyTo(result, visible_in(layers, inner));
  return result;
}

}  // namespace

namespace {

// Lookups of images, each made once for all parts of its place that are asked for.
class Lookups {
 public:
  Lookups(const MosaicPlan::Details& details, const Pixels& pixels) : details_(details), pixels_(pixels) {}

  // Empty if the image is nowhere in the place.
  Lookup at(int image, const cv::Rect& place) {
    Known& known = known_[image];
    if ((known.place & place) != place) {
      known = {place, look_up(details_.geometry[static_cast<std::size_t>(image)], details_.canvas, place)};
      if (!known.lookup.inside.empty()) leave_holes(known.lookup, pixels_(image).shown);
    }
    return known.lookup.inside.empty() ? Lookup{} : known.lookup.part(place - known.place.tl());
  }

 private:
  struct Known {
    cv::Rect place;
    Lookup lookup;
  };
  const MosaicPlan::Details& details_;
  const Pixels& pixels_;
  std::map<int, Known> known_;
};

}  // namespace

std::vector<Layer> layers_by_seams(const MosaicPlan::Details& details, const Pixels& pixels, const cv::Rect& area) {
  const int bands = details.options.bands, grid = 1 << bands, margin = blending_margin(details);
  Lookups lookups(details, pixels);
  cv::Mat best = cv::Mat::zeros(area.size(), CV_32F), owner(area.size(), CV_32S, cv::Scalar(-1));
  for (const Part& part : details.parts) {
    const cv::Rect there = large_place(part, details) & area;
    if (there.empty()) continue;
    const cv::Mat mask = large_mask(part.mask, part, details, there);
    if (mask.empty()) continue;
    const int more = margin + grid;  // as far as its layer may reach
    const cv::Rect reached(there.x - more, there.y - more, there.width + 2 * more, there.height + 2 * more);
    if (lookups.at(part.image, reached & area).inside.empty()) continue;
    claim(part.image, details.geometry[static_cast<std::size_t>(part.image)].size, mask, lookups.at(part.image, there),
          best(there - area.tl()), owner(there - area.tl()));
  }
  std::vector<Layer> layers;
  for (const auto& [image, box] : places_of_owners(owner)) {
    const int left = std::max(0, box.x / grid * grid - margin), top = std::max(0, box.y / grid * grid - margin);
    const cv::Point end(std::min(area.width, rounded_up(box.br().x, grid) + margin),
                        std::min(area.height, rounded_up(box.br().y, grid) + margin));
    Layer layer{image, {{left, top}, end}, {}, {}, {}};
    layer.lookup = lookups.at(image, layer.place + area.tl());
    layer.mask.create(layer.place.size(), CV_32F);
    layer.mask.setTo(0);
    layer.mask.setTo(1, owner(layer.place) == image);
    layer.hidden = hidden_in(image, details, layer.place + area.tl());
    layers.push_back(std::move(layer));
  }
  return layers;
}

std::vector<std::int64_t> ends_of_images(const MosaicPlan::Details& details) {
  std::vector<std::int64_t> ends(details.geometry.size(), 0);
  for (const Part& part : details.parts) {
    std::int64_t& end = ends[static_cast<std::size_t>(part.image)];
    end = std::max<std::int64_t>(end, large_place(part, details).br().y + blending_margin(details));
  }
  return ends;
}

namespace {

// Where blocks begin along a side of the canvas, and its end. A short rest belongs to the last one: it is cheaper than
// the margins of one more.
std::vector<int> cuts_of(std::uint64_t side) {
  constexpr int least = mosaic_block / 4;  // the cost of margins is that of 2 · 160 pixels
  const int end = static_cast<int>(side);
  std::vector<int> cuts{0};
  for (int at = mosaic_block; at + least <= end; at += mosaic_block) cuts.push_back(at);
  cuts.push_back(end);
  return cuts;
}

}  // namespace

void draw_blocks(const MosaicPlan& plan, const Pixels& pixels, const LayersOf& layers_of, const MosaicSink& sink,
                 const ProgressSink& progress) {
  const std::vector<int> columns = cuts_of(plan.width), rows = cuts_of(plan.height);
  std::vector<cv::Rect> places;
  for (std::size_t y = 1; y < rows.size(); ++y) {
    for (std::size_t x = 1; x < columns.size(); ++x) {
      places.emplace_back(cv::Point(columns[x - 1], rows[y - 1]), cv::Point(columns[x], rows[y]));
    }
  }
  CpuPool pool(plan.details->threads);
  std::vector<cv::Mat> drawn(static_cast<std::size_t>(std::min(pool.threads(), most_blocks)));
  for (std::size_t first = 0; first < places.size(); first += drawn.size()) {
    report(progress, "blending", first, places.size());
    const std::size_t count = std::min(drawn.size(), places.size() - first);
    pool.parallel_for(static_cast<int>(count), [&](int i, int) {
      const auto k = static_cast<std::size_t>(i);
      drawn[k] = draw_block(plan, pixels, layers_of, places[first + k]);
    });
    for (std::size_t k = 0; k < count; ++k) {
      const cv::Rect& place = places[first + k];
      sink(static_cast<std::uint64_t>(place.x), static_cast<std::uint64_t>(place.y), io::view_of(drawn[k]));
    }
  }
}

Image joined(const MosaicPlan& plan, const std::function<void(const MosaicSink&)>& draw) {
  Image image(static_cast<int>(plan.width), static_cast<int>(plan.height), 4, plan.depth);
  const std::size_t pixel = 4 * bytes_of(plan.depth);
  draw([&](std::uint64_t x, std::uint64_t y, const ImageView& block) {
    for (int row = 0; row < block.height; ++row) {
      std::copy_n(block.row(row), static_cast<std::size_t>(block.width) * pixel,
                  image.row(static_cast<int>(y) + row) + x * pixel);
    }
  });
  return image;
}

}  // namespace octavo::mosaic
