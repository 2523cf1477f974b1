#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "octavo/api.h"
#include "octavo/extractor.h"
#include "octavo/image.h"
#include "octavo/io/image_formats.h"
#include "octavo/matcher.h"
#include "octavo/multiview/geometry.h"
#include "octavo/multiview/mosaic_plan.h"
#include "octavo/progress.h"
#include "octavo/value_range.h"

// Mosaics of many images: where the images lie, and the drawing.

namespace OCTAVO_API octavo {

/// An image as it is stored: its values may be of any unit.
struct StoredImage {
  // NOLINTNEXTLINE(google-explicit-constructor): an image is enough
  StoredImage(Image pixels, std::optional<double> missing = {}, std::optional<ValueRange> range = {})
      : image(std::move(pixels)), no_data(missing), scale(range) {}

  /// Where alpha is less than half, and where a colour is NaN, infinite, `no_data`, or a float that values_used takes
  /// for missing data, the image shows nothing.
  Image image;
  std::optional<double> no_data;
  std::optional<ValueRange> scale;  ///< what becomes 0 and full scale; none: full_scale of values_used
};

/// An image of a mosaic. It is loaded when it is needed, and again while the mosaic is drawn, so that not all of them
/// are in memory.
struct MosaicInput {
  std::string name;  ///< what messages call it
  /// Returns the same image every time, or throws an Error. Not called twice at a time, but by any thread.
  std::function<StoredImage()> load;
};

/// Finds where the images lie: features, matches of all pairs, homographies, the groups of images that overlap, the
/// model, exposure and seams. Images without overlap are not an error: `found` and `reason` tell. Each image is
/// loaded once. One whose loading throws Error(file_error) or Error(out_of_memory), or with a side above 32766 pixels,
/// is left out: MosaicImageStatus::failed. Throws Error(invalid_argument) for fewer than two images, for points set by
/// hand that are in no image, are alone, or are far from where the others of their pair put them, and if the canvas
/// would be larger than the options allow or cannot be drawn in the projection that they ask for; what else loading
/// throws, and what Extractor::extract, Matcher::match and estimate_homography throw.
MosaicPlan plan_mosaic(std::span<const MosaicInput> inputs, Extractor& extractor, Matcher& matcher,
                       const RobustOptions& robust = {}, const MosaicOptions& options = {},
                       const ProgressSink& progress = {});

/// Receives a block of the mosaic: RGB and alpha, of the plan's depth, whose first pixel is (x, y) of the canvas. The
/// view is valid during the call.
using MosaicSink = std::function<void(std::uint64_t x, std::uint64_t y, const ImageView& block)>;

/// The side of the blocks [pixel]. The last of a row or a column are cut off at the canvas.
inline constexpr int mosaic_block = 1024;

/// Draws the mosaic block by block, row by row, with the threads of the extractor that planned it. The sink is called
/// by the caller's thread. Memory is that of two blocks, of decoded images (MosaicOptions::image_memory),
/// and of small copies of all images. Transparent pixels are white, unless values are of their own unit. Throws what
/// loading throws, and Error(invalid_argument) for a plan that is not found or of other inputs.
void draw_mosaic(const MosaicPlan& plan, std::span<const MosaicInput> inputs, const MosaicSink& sink,
                 const ProgressSink& progress = {});

/// The mosaic as one image. Throws the same, and Error(out_of_memory).
Image draw_mosaic(const MosaicPlan& plan, std::span<const MosaicInput> inputs, const ProgressSink& progress = {});

/// The metadata of a mosaic that is found, from those of the images of the plan. The ICC profile is the one that all
/// placed images have; if they have several there is none. Of the EXIF data
/// are kept the date and the place of the reference, or of the first image that has EXIF data if the reference has
/// none; and of camera, lens, focal length and exposure what no placed image contradicts. The XMP of a mosaic on a
/// sphere or a cylinder is Google's "Photo Sphere XMP" (GPano). Throws Error(invalid_argument) for another number of
/// images.
ImageMetadata mosaic_metadata(const MosaicPlan& plan, std::span<const ImageMetadata> images);

/// Writes the mosaic to a file: .tif and .tiff are written in tiles, without the whole mosaic in memory, as BigTIFF
/// from 2 GiB on; the other formats of write_image as one image. A format without samples of the mosaic's depth gets
/// its values in the full range. JPEG, PNG and TIFF have the metadata. Throws the same, and Error(file_error).
void write_mosaic(const std::filesystem::path& file, const MosaicPlan& plan, std::span<const MosaicInput> inputs,
                  const ImageMetadata& metadata = {}, const ProgressSink& progress = {});

/// A small image of the mosaic (u8, RGB), before it is cropped, with the outline and the number of each image, that of
/// the part to which it is cropped, and a line for each pair: green for a residual of 0, red for 3 pixels and more,
/// black for inconsistent pairs. The plan must be found.
Image draw_mosaic_graph(const MosaicPlan& plan);

/// A small image of the mosaic (u8, RGB) in which each image's part is tinted and the seams are white. The plan
/// must be found.
Image draw_mosaic_seams(const MosaicPlan& plan);

}  // namespace octavo
