// What is kept of each image when it is loaded the first time.

#include "multiview/mosaic/read_images.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/opencv/cv_mat.h"
#include "multiview/mosaic/small.h"
#include "multiview/mosaic/warp.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "octavo/multiview/mosaic.h"

namespace octavo::mosaic {
namespace {

constexpr int longest_side = 32766;  // [pixel] OpenCV's remap counts pixels in 16 bits
// [pixel] of a grey copy, by which places are compared, and of all of them. They bound memory and time; not tuned.
constexpr double grey_pixels = 2e6, all_grey_pixels = 4e8;

// The image; an empty one that says why if it fails.
StoredImage loaded_or_failed(const MosaicInput& input, MosaicImage& told) {
  try {
    StoredImage one = input.load();
    if (std::max(one.image.width(), one.image.height()) <= longest_side) return one;
    told.reason = fmt::format("it has {} x {} pixels, the longest side of a mosaic's image is {}", one.image.width(),
                              one.image.height(), longest_side);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::file_error && error.code() != ErrorCode::out_of_memory) throw;
    told.reason = error.what();
  }
  told.status = MosaicImageStatus::failed;
  return Image();
}

Features features_of(const Image& image, const cv::Mat& shown, Extractor& extractor) {
  if (shown.empty()) return extractor.extract(image.view());
  const ImageView mask = io::view_of(shown);
  return extractor.extract(image.view(), &mask);
}

bool are_identical(const ReadImages& all, std::size_t i, std::size_t k) {
  const Stored &one = all.images.small[i], &other = all.images.small[k];
  return all.images.sizes[i] == all.images.sizes[k] && one.colours.size() == other.colours.size() &&
         one.scale == other.scale && all.features[i].descriptors == all.features[k].descriptors &&
         cv::norm(one.colours, other.colours, cv::NORM_INF) == 0;
}

// Adds one of so many images. Returns what is told of it.
MosaicImage add(ReadImages& all, const MosaicInput& input, std::size_t images, Extractor& extractor) {
  MosaicImage told;
  told.name = input.name;
  StoredImage one = loaded_or_failed(input, told);
  told.size = {one.image.width(), one.image.height()};
  all.images.sizes.push_back(told.size);
  Stored& small = all.images.small.emplace_back();
  PixelType& depth = all.images.depths.emplace_back(PixelType::u8);
  all.images.focal_lengths.push_back(one.focal_length);
  Features& features = all.features.emplace_back();
  GreyImage& grey = all.greys.emplace_back();
  if (told.status == MosaicImageStatus::failed) return told;
  const Stored stored = stored_of(one);
  small = small_copy(stored, images);
  depth = one.image.type();
  map_to_full_scale(one.image, stored.scale);
  features = features_of(one.image, stored.shown, extractor);
  grey = grey_image(colours_of(one.image.view()), std::min(grey_pixels, all_grey_pixels / static_cast<double>(images)));
  told.scale = stored.scale;
  told.keypoints = features.size();
  return told;
}

}  // namespace

bool is_wanted(const MosaicImage& image) {
  return image.status == MosaicImageStatus::placed || image.status == MosaicImageStatus::no_overlap;
}

ReadImages read_images(std::span<const MosaicInput> inputs, Extractor& extractor, const ProgressSink& progress) {
  ReadImages all;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    report(progress, "features", i, inputs.size());
    MosaicImage told = add(all, inputs[i], inputs.size(), extractor);
    for (std::size_t k = 0; k < i && is_wanted(told); ++k) {
      if (!are_identical(all, i, k)) continue;
      told.status = MosaicImageStatus::identical;
      told.reason = fmt::format("it is the same image as '{}'", inputs[k].name);
    }
    all.images.told.push_back(std::move(told));
  }
  return all;
}

}  // namespace octavo::mosaic
