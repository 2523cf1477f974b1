// The mosaic at its full size, from images that are loaded when a block needs them.

#include <algorithm>
#include <list>
#include <mutex>
#include <opencv2/imgproc.hpp>

#include "engine/core/free_memory.h"
#include "io/files/ending.h"
#include "io/files/output_file.h"
#include "io/images/tiled_tiff.h"
#include "io/opencv/cv_mat.h"
#include "io/opencv/opencv_error.h"
#include "multiview/mosaic/blocks.h"
#include "multiview/mosaic/details.h"
#include "multiview/mosaic/warp.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "octavo/multiview/mosaic.h"

namespace octavo {
namespace {

// Decoded images, for several threads. The one that was used longest ago makes room; who still draws it keeps it.
class ImageCache {
 public:
  ImageCache(const MosaicPlan& plan, std::span<const MosaicInput> inputs)
      : plan_(plan),
        inputs_(inputs),
        most_(static_cast<std::size_t>(plan.details->options.image_memory) << 20),
        ends_(mosaic::ends_of_images(*plan.details)) {}

  mosaic::Stored get(int number) {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.number == number; });
    if (found != entries_.end()) {
      entries_.splice(entries_.begin(), entries_, found);
      return found->pixels;
    }
    const auto i = static_cast<std::size_t>(number);
    const ImageSize size = plan_.images[i].size;
    const StoredImage loaded = inputs_[i].load();
    const Image& image = loaded.image;
    if (image.width() != size.width || image.height() != size.height) {
      throw Error(ErrorCode::invalid_argument,
                  "'" + inputs_[i].name + "' is not the image of the plan: its size is another");
    }
    entries_.push_front({number, mosaic::stored_of(loaded).resized(plan_.details->geometry[i].size)});
    bytes_ += bytes(entries_.front().pixels);
    while (bytes_ > most_ && entries_.size() > 1) {
      bytes_ -= bytes(entries_.back().pixels);
      entries_.pop_back();
    }
    return entries_.front().pixels;
  }

  // Blocks are drawn row by row: an image that ends above a row is needed no more.
  void forget_above(std::uint64_t row) {
    const std::lock_guard lock(mutex_);
    std::erase_if(entries_, [&](const Entry& entry) {
      const bool is_above = ends_[static_cast<std::size_t>(entry.number)] <= static_cast<std::int64_t>(row);
      if (is_above) bytes_ -= bytes(entry.pixels);
      return is_above;
    });
  }

 private:
  struct Entry {
    int number;
    mosaic::Stored pixels;
  };
  static std::size_t bytes(const mosaic::Stored& pixels) {
    return pixels.colours.total() * pixels.colours.elemSize() + pixels.shown.total();
  }

  std::mutex mutex_;
  const MosaicPlan& plan_;
  std::span<const MosaicInput> inputs_;
  std::size_t most_, bytes_ = 0;
  std::vector<std::int64_t> ends_;
  std::list<Entry> entries_;
};

void check(const MosaicPlan& plan, std::span<const MosaicInput> inputs) {
  if (!plan.found || !plan.details) throw Error(ErrorCode::invalid_argument, "there is no mosaic: " + plan.reason);
  if (inputs.size() != plan.images.size()) {
    throw Error(ErrorCode::invalid_argument, "the mosaic was planned for another number of images");
  }
}

}  // namespace

void draw_mosaic(const MosaicPlan& plan, std::span<const MosaicInput> inputs, const MosaicSink& sink,
                 const ProgressSink& progress) try {
  check(plan, inputs);
  give_back_free_memory();
  ImageCache cache(plan, inputs);
  const mosaic::Pixels pixels = [&](int number) { return cache.get(number); };
  mosaic::draw_blocks(
      plan, pixels, [&](const cv::Rect& area) { return mosaic::layers_by_seams(*plan.details, pixels, area); },
      [&](std::uint64_t x, std::uint64_t y, const ImageView& block) {
        cache.forget_above(y);
        sink(x, y, block);
      },
      progress);
} catch (const cv::Exception& error) {
  throw_error_of(error, "the mosaic cannot be drawn");
}

Image draw_mosaic(const MosaicPlan& plan, std::span<const MosaicInput> inputs, const ProgressSink& progress) {
  check(plan, inputs);
  return mosaic::joined(plan, [&](const MosaicSink& sink) { draw_mosaic(plan, inputs, sink, progress); });
}

void write_mosaic(const std::filesystem::path& file, const MosaicPlan& plan, std::span<const MosaicInput> inputs,
                  const ImageMetadata& metadata, const ProgressSink& progress) {
  const std::string ending = io::ending_of(file);
  if (ending != ".tif" && ending != ".tiff") {
    // [pixel] It bounds memory: the image has 1 GiB and more. It is the default of --max-pixels too.
    constexpr std::uint64_t most = std::uint64_t{1} << 28;
    if (plan.width * plan.height > most) {
      throw Error(ErrorCode::invalid_argument, "the mosaic of " + std::to_string(plan.width) + " x " +
                                                   std::to_string(plan.height) + " pixels is too large for '" +
                                                   file.string() + "': name a .tif file, which is written in tiles");
    }
    MosaicPlan in_full_range = plan;
    in_full_range.values = full_scale(plan.depth, {});
    Image image = draw_mosaic(in_full_range, inputs, progress);
    give_back_free_memory();
    restore_values(image, plan.values, file.string());
    return write_image(file, image.view(), metadata);
  }
  check(plan, inputs);
  TiledTiff tiff(file, plan.width, plan.height, 4, plan.depth, metadata);
  draw_mosaic(
      plan, inputs, [&](std::uint64_t x, std::uint64_t y, const ImageView& block) { tiff.write(x, y, block); },
      progress);
  tiff.finish();
}

}  // namespace octavo
