// The mosaic at its full size, block by block. A block is drawn with a margin that holds all that its blending reaches,
// and blocks begin at multiples of 2^bands, so that the pyramids of neighbours have the same pixels: the mosaic does
// not depend on the blocks. Some are drawn at a time, each by a thread, and handed over in their order.

#include "multiview/mosaic/blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "engine/device/cpu_pool.h"
#include "io/opencv/cv_mat.h"
#include "multiview/mosaic/blend.h"
#include "multiview/mosaic/highlights.h"
#include "multiview/mosaic/local_gain.h"

namespace octavo::mosaic {
namespace {

using Part = MosaicPlan::Details::Part;

// Blocks drawn at a time. It bounds memory: each takes up to 0.8 GiB while it is drawn.
constexpr int most_blocks = 2;

// The mask of a part, found on the small canvas, at the pixels of an area of the canvas; empty if it is 0 there.
cv::Mat large_mask(const Part& part, const MosaicPlan::Details& details, const cv::Rect& area) {
  const double f = details.small.scale / details.canvas.scale;
  const double x = (area.x + details.canvas.left) * f - details.small.left - part.place.x;
  const double y = (area.y + details.canvas.top) * f - details.small.top - part.place.y;
  const cv::Rect needed(static_cast<int>(std::floor(x)) - 2, static_cast<int>(std::floor(y)) - 2,
                        static_cast<int>(std::ceil(area.width * f)) + 5,
                        static_cast<int>(std::ceil(area.height * f)) + 5);
  const cv::Rect there = needed & cv::Rect({0, 0}, part.mask.size());
  if (there.empty() || cv::countNonZero(part.mask(there)) == 0) return {};
  cv::Mat from, to;
  part.mask(there).convertTo(from, CV_32F, 1.0 / 255);
  const cv::Matx23d small_from_large(f, 0, x - there.x, 0, f, y - there.y);
  cv::warpAffine(from, to, small_from_large, area.size(), cv::INTER_LINEAR | cv::WARP_INVERSE_MAP);
  return to;
}

// The bands reach beyond the edges of the images. There each is continued by the one that is shown, so that it adds
// nothing of its own; where none is shown, by its reflection.
void continue_beyond_edges(std::vector<cv::Mat>& coloured, const std::vector<Layer>& layers) {
  std::vector<cv::Mat> shown;
  cv::Mat joined(coloured.front().size(), CV_32FC3);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    shown.emplace_back(layers[i].mask > 0.5);
    coloured[i].copyTo(joined, shown.back());
  }
  for (std::size_t i = 0; i < layers.size(); ++i) {
    cv::Mat beyond = cv::Mat::zeros(joined.size(), CV_8U);
    for (const cv::Mat& other : shown) cv::bitwise_or(beyond, other, beyond);
    beyond.setTo(0, layers[i].lookup.inside);
    joined.copyTo(coloured[i], beyond);
  }
}

// A block as RGB and alpha; transparent where no image is.
cv::Mat draw_block(const MosaicPlan& plan, const Pixels& pixels, const LayersOf& layers_of, const cv::Rect& block) {
  const MosaicPlan::Details& details = *plan.details;
  const int bands = details.options.bands;
  const int margin = bands == 0 ? 0 : margin_of(bands), grid = 1 << bands;
  const auto rounded = [grid](int length) { return (length + grid - 1) / grid * grid; };
  const cv::Rect area(block.x - margin, block.y - margin, rounded(block.width) + 2 * margin,
                      rounded(block.height) + 2 * margin);
  const std::vector<Layer> layers = layers_of(area);
  const int depth = plan.depth == PixelType::u8 ? CV_8U : plan.depth == PixelType::u16 ? CV_16U : CV_32F;
  const double full = depth == CV_8U ? 255 : depth == CV_16U ? 65535 : 1;
  const bool is_measured = has_own_unit(plan.values, plan.depth);
  const double nothing = !is_measured ? full : depth == CV_32F ? std::numeric_limits<double>::quiet_NaN() : 0;
  cv::Mat result(block.size(), CV_MAKETYPE(depth, 4), cv::Scalar(nothing, nothing, nothing, 0));
  if (layers.empty()) return result;
  const auto colours_in_area = [&](const Layer& layer) {
    const auto i = static_cast<std::size_t>(layer.image);
    cv::Mat colours = sample(pixels(layer.image).colours, plan.images[i].scale, layer.lookup);
    if (plan.exposure) {
      const cv::Mat places = places_of(layer.lookup, details.geometry[i].size);
      const cv::Mat before = details.white > 0 ? colours.clone() : cv::Mat();
      correct(colours, places, details.geometry[i].size, {plan.images[i].gain, plan.vignetting});
      if (details.white > 0) keep_white(colours, before, details.white);
      if (!details.local_gain.empty()) correct_locally(colours, places, details.local_gain[i]);
    }
    return colours;
  };
  std::vector<cv::Mat> coloured;
  cv::Mat shown = cv::Mat::zeros(area.size(), CV_32F);
  for (const Layer& layer : layers) {
    coloured.push_back(colours_in_area(layer));
    shown += layer.mask;
  }
  cv::Mat joined = coloured.front();  // alone it stays as it is
  if (layers.size() > 1) {
    if (bands > 0) continue_beyond_edges(coloured, layers);
    Blender blender(area.size(), bands);
    for (std::size_t i = 0; i < layers.size(); ++i) blender.add(coloured[i], layers[i].mask);
    joined = blender.blended();
  }
  if (details.white > 0) compress_highlights(joined, details.white);
  const cv::Rect inner(margin, margin, block.width, block.height);
  cv::Mat colours, visible;
  joined(inner).convertTo(colours, depth, plan.values.high - plan.values.low, plan.values.low);
  if (depth == CV_32F && !is_measured) colours = cv::max(0.0, cv::min(1.0, colours));
  cv::compare(shown(inner), 0.5, visible, cv::CMP_GT);
  cv::Mat opaque(block.size(), CV_MAKETYPE(depth, 4), cv::Scalar(full, full, full, full));
  const std::array<int, 6> channels{0, 0, 1, 1, 2, 2};
  cv::mixChannels(&colours, 1, &opaque, 1, channels.data(), 3);
  opaque.copyTo(result, visible);
  return result;
}

}  // namespace

std::vector<Layer> layers_by_seams(const MosaicPlan::Details& details, const Pixels& pixels, const cv::Rect& area) {
  // The weight (0…1) that an image has at least where it shows something: at its edges no small mask holds its pixels.
  // It is far below that of any mask; not tuned.
  constexpr float least = 1e-3F;
  std::vector<Layer> layers;
  cv::Mat best = cv::Mat::zeros(area.size(), CV_32F), owner(area.size(), CV_32S, cv::Scalar(-1));
  for (std::size_t i = 0; i < details.parts.size(); ++i) {
    const Part& part = details.parts[i];
    cv::Mat mask = large_mask(part, details, area);
    if (mask.empty()) continue;
    const auto same = std::find_if(layers.begin(), layers.end(), [&](const Layer& l) { return l.image == part.image; });
    const bool is_new = same == layers.end();
    Layer layer = is_new ? Layer{part.image,
                                 look_up(details.geometry[static_cast<std::size_t>(part.image)], details.canvas, area),
                                 {}}
                         : *same;
    if (is_new && !layer.lookup.inside.empty()) leave_holes(layer.lookup, pixels(part.image).shown);
    if (layer.lookup.inside.empty()) continue;
    const int number = is_new ? static_cast<int>(layers.size()) : static_cast<int>(same - layers.begin());
    for (int y = 0; y < area.height; ++y) {
      const auto *m = mask.ptr<float>(y), *feather = layer.lookup.feather.ptr<float>(y);
      const auto* inside = layer.lookup.inside.ptr<unsigned char>(y);
      auto* b = best.ptr<float>(y);
      auto* o = owner.ptr<int>(y);
      for (int x = 0; x < area.width; ++x) {
        if (inside[x] == 0) continue;
        const float weight = m[x] + least * (feather[x] + least);
        if (weight <= b[x]) continue;
        b[x] = weight;
        o[x] = number;
      }
    }
    if (is_new) layers.push_back(layer);
  }
  for (std::size_t i = 0; i < layers.size(); ++i) {
    cv::Mat mask;
    cv::compare(owner, static_cast<double>(i), mask, cv::CMP_EQ);
    mask.convertTo(layers[i].mask, CV_32F, 1.0 / 255);
  }
  std::erase_if(layers, [](const Layer& layer) { return cv::countNonZero(layer.mask) == 0; });
  return layers;
}

void draw_blocks(const MosaicPlan& plan, const Pixels& pixels, const LayersOf& layers_of, const MosaicSink& sink,
                 const ProgressSink& progress) {
  const int width = static_cast<int>(plan.width), height = static_cast<int>(plan.height);
  const std::size_t columns = static_cast<std::size_t>((width + mosaic_block - 1) / mosaic_block);
  const std::size_t rows = static_cast<std::size_t>((height + mosaic_block - 1) / mosaic_block);
  const std::size_t blocks = rows * columns;
  const auto place_of = [&](std::size_t i) {
    const int y = static_cast<int>(i / columns) * mosaic_block, x = static_cast<int>(i % columns) * mosaic_block;
    return cv::Rect(x, y, std::min(mosaic_block, width - x), std::min(mosaic_block, height - y));
  };
  CpuPool pool(plan.details->threads);
  std::vector<cv::Mat> drawn(static_cast<std::size_t>(std::min(pool.threads(), most_blocks)));
  for (std::size_t first = 0; first < blocks; first += drawn.size()) {
    report(progress, "blending", first, blocks);
    const std::size_t count = std::min(drawn.size(), blocks - first);
    pool.parallel_for(static_cast<int>(count), [&](int i, int) {
      const auto k = static_cast<std::size_t>(i);
      drawn[k] = draw_block(plan, pixels, layers_of, place_of(first + k));
    });
    for (std::size_t k = 0; k < count; ++k) {
      const cv::Rect place = place_of(first + k);
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
