// The mosaic at its full size, block by block. A block is drawn with a margin that holds all that its blending reaches,
// and blocks begin at multiples of 2^bands, so that the pyramids of neighbours have the same pixels: the mosaic does
// not depend on the blocks.

#include <algorithm>
#include <list>
#include <opencv2/imgproc.hpp>

#include "geometry/opencv_error.h"
#include "imageio/cv_mat.h"
#include "mosaic/blend.h"
#include "mosaic/details.h"
#include "mosaic/warp.h"
#include "octavo/error.h"
#include "octavo/imageio.h"
#include "octavo/mosaic.h"
#include "octavo/output_file.h"
#include "octavo/tiled_tiff.h"

namespace octavo {
namespace {

using mosaic::colours_of;
using mosaic::Lookup;
using Part = MosaicPlan::Details::Part;

// Decoded pictures. The one that was used longest ago makes room.
class PictureCache {
 public:
  PictureCache(const MosaicPlan& plan, std::span<const MosaicInput> inputs)
      : plan_(plan), inputs_(inputs), most_(static_cast<std::size_t>(plan.details->options.picture_memory) << 20) {}

  cv::Mat get(int picture) {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.picture == picture; });
    if (found != entries_.end()) {
      entries_.splice(entries_.begin(), entries_, found);
      return found->pixels;
    }
    const auto i = static_cast<std::size_t>(picture);
    const ImageSize size = plan_.pictures[i].size;
    const Image image = inputs_[i].load();
    if (image.width() != size.width || image.height() != size.height) {
      throw Error(ErrorCode::invalid_argument,
                  "'" + inputs_[i].name + "' is not the picture of the plan: its size is another");
    }
    entries_.push_front({picture, colours_of(image.view())});
    bytes_ += bytes(entries_.front().pixels);
    while (bytes_ > most_ && entries_.size() > 1) {
      bytes_ -= bytes(entries_.back().pixels);
      entries_.pop_back();
    }
    return entries_.front().pixels;
  }

 private:
  struct Entry {
    int picture;
    cv::Mat pixels;
  };
  static std::size_t bytes(const cv::Mat& pixels) { return pixels.total() * pixels.elemSize(); }

  const MosaicPlan& plan_;
  std::span<const MosaicInput> inputs_;
  std::size_t most_, bytes_ = 0;
  std::list<Entry> entries_;
};

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

// A picture in a block.
struct Layer {
  int picture;
  Lookup lookup;
  cv::Mat mask;
};

// The pictures of a block, and in their masks which of them shows each pixel.
std::vector<Layer> layers_of(const MosaicPlan::Details& details, const cv::Rect& area) {
  constexpr float least = 1e-3F;  // for pixels at the edges, which no small mask holds
  std::vector<Layer> layers;
  cv::Mat best = cv::Mat::zeros(area.size(), CV_32F), owner(area.size(), CV_32S, cv::Scalar(-1));
  for (std::size_t i = 0; i < details.parts.size(); ++i) {
    const Part& part = details.parts[i];
    cv::Mat mask = large_mask(part, details, area);
    if (mask.empty()) continue;
    const auto same =
        std::find_if(layers.begin(), layers.end(), [&](const Layer& l) { return l.picture == part.picture; });
    const bool is_new = same == layers.end();
    Layer layer = is_new
                      ? Layer{part.picture,
                              look_up(details.geometry[static_cast<std::size_t>(part.picture)], details.canvas, area),
                              {}}
                      : *same;
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

// A block as RGB and alpha; white and transparent where no picture is.
cv::Mat draw_block(const MosaicPlan& plan, PictureCache& cache, const cv::Rect& block) {
  const MosaicPlan::Details& details = *plan.details;
  const int bands = details.options.bands;
  const int margin = bands == 0 ? 0 : mosaic::margin_of(bands), grid = 1 << bands;
  const auto rounded = [grid](int length) { return (length + grid - 1) / grid * grid; };
  const cv::Rect area(block.x - margin, block.y - margin, rounded(block.width) + 2 * margin,
                      rounded(block.height) + 2 * margin);
  const std::vector<Layer> layers = layers_of(details, area);
  const int depth = plan.depth == PixelType::u8 ? CV_8U : plan.depth == PixelType::u16 ? CV_16U : CV_32F;
  const double full = depth == CV_8U ? 255 : depth == CV_16U ? 65535 : 1;
  cv::Mat result(block.size(), CV_MAKETYPE(depth, 4), cv::Scalar(full, full, full, 0));
  if (layers.empty()) return result;
  mosaic::Blender blender(area.size(), bands);
  cv::Mat shown = cv::Mat::zeros(area.size(), CV_32F);
  for (const Layer& layer : layers) {
    const auto i = static_cast<std::size_t>(layer.picture);
    cv::Mat colours = mosaic::sample(cache.get(layer.picture), layer.lookup);
    if (details.options.exposure) {
      mosaic::correct(colours, layer.lookup, details.geometry[i], {plan.pictures[i].gain, plan.vignetting});
    }
    blender.add(colours, layer.mask);
    shown += layer.mask;
  }
  const cv::Rect inner(margin, margin, block.width, block.height);
  cv::Mat colours, visible;
  blender.blended()(inner).convertTo(colours, depth, full);
  if (depth == CV_32F) colours = cv::max(0.0, cv::min(1.0, colours));
  cv::compare(shown(inner), 0.5, visible, cv::CMP_GT);
  cv::Mat opaque(block.size(), CV_MAKETYPE(depth, 4), cv::Scalar(full, full, full, full));
  const std::array<int, 6> channels{0, 0, 1, 1, 2, 2};
  cv::mixChannels(&colours, 1, &opaque, 1, channels.data(), 3);
  opaque.copyTo(result, visible);
  return result;
}

void check(const MosaicPlan& plan, std::span<const MosaicInput> inputs) {
  if (!plan.found || !plan.details) throw Error(ErrorCode::invalid_argument, "there is no mosaic: " + plan.reason);
  if (inputs.size() != plan.pictures.size()) {
    throw Error(ErrorCode::invalid_argument, "the mosaic was planned for another number of pictures");
  }
}

}  // namespace

void draw_mosaic(const MosaicPlan& plan, std::span<const MosaicInput> inputs, const MosaicSink& sink,
                 const ProgressSink& progress) try {
  check(plan, inputs);
  PictureCache cache(plan, inputs);
  const int width = static_cast<int>(plan.width), height = static_cast<int>(plan.height);
  const std::size_t columns = static_cast<std::size_t>((width + mosaic_block - 1) / mosaic_block);
  const std::size_t rows = static_cast<std::size_t>((height + mosaic_block - 1) / mosaic_block);
  for (std::size_t i = 0; i < rows * columns; ++i) {
    report(progress, "blending", i, rows * columns);
    const int y = static_cast<int>(i / columns) * mosaic_block, x = static_cast<int>(i % columns) * mosaic_block;
    const cv::Rect block(x, y, std::min(mosaic_block, width - x), std::min(mosaic_block, height - y));
    const cv::Mat pixels = draw_block(plan, cache, block);
    sink(static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y), imageio::view_of(pixels));
  }
} catch (const cv::Exception& error) {
  throw_error_of(error, "the mosaic cannot be drawn");
}

Image draw_mosaic(const MosaicPlan& plan, std::span<const MosaicInput> inputs, const ProgressSink& progress) {
  check(plan, inputs);
  Image image(static_cast<int>(plan.width), static_cast<int>(plan.height), 4, plan.depth);
  const std::size_t pixel = 4 * bytes_of(plan.depth);
  draw_mosaic(
      plan, inputs,
      [&](std::uint64_t x, std::uint64_t y, const ImageView& block) {
        for (int row = 0; row < block.height; ++row) {
          std::copy_n(block.row(row), static_cast<std::size_t>(block.width) * pixel,
                      image.row(static_cast<int>(y) + row) + x * pixel);
        }
      },
      progress);
  return image;
}

void write_mosaic(const std::filesystem::path& file, const MosaicPlan& plan, std::span<const MosaicInput> inputs,
                  const ProgressSink& progress) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  if (ending != ".tif" && ending != ".tiff") {
    constexpr std::uint64_t most = std::uint64_t{1} << 28;
    if (plan.width * plan.height > most) {
      throw Error(ErrorCode::invalid_argument, "the mosaic of " + std::to_string(plan.width) + " x " +
                                                   std::to_string(plan.height) + " pixels is too large for '" +
                                                   file.string() + "': name a .tif file, which is written in tiles");
    }
    return write_image(file, draw_mosaic(plan, inputs, progress).view());
  }
  check(plan, inputs);
  TiledTiff tiff(file, plan.width, plan.height, 4, plan.depth);
  draw_mosaic(
      plan, inputs, [&](std::uint64_t x, std::uint64_t y, const ImageView& block) { tiff.write(x, y, block); },
      progress);
  tiff.finish();
}

}  // namespace octavo
