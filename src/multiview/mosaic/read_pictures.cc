// What is kept of each picture when it is loaded the first time.

#include "multiview/mosaic/read_pictures.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/opencv/cv_mat.h"
#include "multiview/mosaic/small.h"
#include "multiview/mosaic/warp.h"
#include "octavo/error.h"

namespace octavo::mosaic {
namespace {

constexpr int longest_side = 32766;  // [pixel] OpenCV's remap counts pixels in 16 bits
constexpr double grey_pixels = 2e6;  // [pixel] of a grey copy, by which places are compared: it bounds memory and time

// The picture; an empty one that says why if it fails.
MosaicImage loaded_or_failed(const MosaicInput& input, MosaicPicture& told) {
  try {
    MosaicImage one = input.load();
    if (std::max(one.image.width(), one.image.height()) <= longest_side) return one;
    told.reason = fmt::format("it has {} x {} pixels, the longest side of a mosaic's picture is {}", one.image.width(),
                              one.image.height(), longest_side);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::file_error && error.code() != ErrorCode::out_of_memory) throw;
    told.reason = error.what();
  }
  told.fate = MosaicFate::failed;
  return Image();
}

Features features_of(const Image& image, const cv::Mat& shown, Extractor& extractor) {
  if (shown.empty()) return extractor.extract(image.view());
  const ImageView mask = io::view_of(shown);
  return extractor.extract(image.view(), &mask);
}

bool are_identical(const ReadPictures& all, std::size_t i, std::size_t k) {
  const Stored &one = all.pictures.small[i], &other = all.pictures.small[k];
  return all.pictures.sizes[i] == all.pictures.sizes[k] && one.colours.size() == other.colours.size() &&
         one.scale == other.scale && all.features[i].descriptors == all.features[k].descriptors &&
         cv::norm(one.colours, other.colours, cv::NORM_INF) == 0;
}

// Adds a picture. Returns what is told of it.
MosaicPicture add(ReadPictures& all, const MosaicInput& input, Extractor& extractor) {
  MosaicPicture told;
  told.name = input.name;
  MosaicImage one = loaded_or_failed(input, told);
  told.size = {one.image.width(), one.image.height()};
  all.pictures.sizes.push_back(told.size);
  Stored& small = all.pictures.small.emplace_back();
  PixelType& depth = all.pictures.depths.emplace_back(PixelType::u8);
  Features& features = all.features.emplace_back();
  GreyPicture& grey = all.greys.emplace_back();
  if (told.fate == MosaicFate::failed) return told;
  const Stored stored = stored_of(one);
  small = small_copy(stored);
  depth = one.image.type();
  map_to_full_scale(one.image, stored.scale);
  features = features_of(one.image, stored.shown, extractor);
  grey = grey_picture(colours_of(one.image.view()), grey_pixels);
  told.scale = stored.scale;
  told.keypoints = features.size();
  return told;
}

}  // namespace

bool is_wanted(const MosaicPicture& picture) {
  return picture.fate != MosaicFate::identical && picture.fate != MosaicFate::failed;
}

ReadPictures read_pictures(std::span<const MosaicInput> inputs, Extractor& extractor, const ProgressSink& progress) {
  ReadPictures all;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    report(progress, "features", i, inputs.size());
    MosaicPicture told = add(all, inputs[i], extractor);
    for (std::size_t k = 0; k < i && is_wanted(told); ++k) {
      if (!are_identical(all, i, k)) continue;
      told.fate = MosaicFate::identical;
      told.reason = fmt::format("it is the same picture as '{}'", inputs[k].name);
    }
    all.pictures.told.push_back(std::move(told));
  }
  return all;
}

}  // namespace octavo::mosaic
