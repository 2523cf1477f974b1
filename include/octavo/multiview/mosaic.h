#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "octavo/api.h"
#include "octavo/extractor.h"
#include "octavo/image_view.h"
#include "octavo/io/image_formats.h"
#include "octavo/matcher.h"
#include "octavo/multiview/geometry.h"
#include "octavo/option_table.h"
#include "octavo/progress.h"

// Mosaics of many images: how they are made, where the images lie, and the drawing.

namespace OCTAVO_API octavo {

struct StoredImage;  // octavo/io/image_files.h

/// How the images of a mosaic are related. In each model, an image has a 3×3 matrix that maps its pixels to a frame
/// that all images share.
enum class MosaicModel {
  automatic,   ///< the one with the fewest parameters that explains the matches; see MosaicCandidate
  similarity,  ///< shift, turn and size: scans of a flat page (4 numbers for each image)
  /// a camera that turns about its centre (3 numbers, and a focal length for images of one size, or for each image of
  /// a camera that zooms)
  rotation,
  affine,      ///< a flat scene seen from far (6)
  homography,  ///< a flat scene seen from anywhere (8)
};

/// The surface on which the mosaic is drawn. All but a plane are for a turning camera, and make it of
/// MosaicModel::automatic. What lies beyond the ends of a projection is cut off.
enum class MosaicProjection {
  automatic,  ///< a plane for flat scenes, and for a turning camera by the angle that it sees
  plane,      ///< straight lines stay straight; at most 150° of a turning camera
  cylinder,   ///< around a vertical axis: up to 360° wide, at most 150° high
  sphere,     ///< longitude and latitude: everything
  /// vertical lines and those through the centre stay straight: at most 240° wide, and 150° high in the middle
  pannini,
  /// a disc around the middle of what is seen, whose ends are 300° apart at most; where the images show all around, the
  /// middle is straight below: a little planet
  stereographic,
};

/// Whether exposure, white balance and vignetting are corrected.
enum class MosaicExposure {
  automatic,  ///< on, unless the images have values of their own unit; see MosaicPlan::values
  on,         ///< also values of their own unit, less the lowest of the range, are divided by gains
  off,
};

/// A place that two images show, set by hand.
struct MosaicPoint {
  int a = 0, b = 0;  ///< indices of the images
  /// [pixel] x and y in a, and in b; the centre of the first pixel is (0, 0)
  std::array<double, 2> in_a{}, in_b{};

  bool operator==(const MosaicPoint&) const = default;
};

/// The option table has all but the lists at the end.
struct MosaicOptions {
  MosaicModel model = MosaicModel::automatic;                 ///< how the images are related
  MosaicProjection projection = MosaicProjection::automatic;  ///< the surface of the canvas
  bool distortion = true;  ///< look for radial lens distortion; it is used where it explains the matches better
  MosaicExposure exposure = MosaicExposure::automatic;  ///< whether colours are brought together
  bool keep_redundant = false;  ///< also images that add nothing, such as most frames of a slow pan
  bool seams = true;            ///< lead seams where images agree; otherwise halfway between the images
  /// the most bands of the blending, 0…8; fewer for images with a shorter side below 1024 pixels; 0: images are cut at
  /// the seams
  int bands = 5;
  bool crop = false;  ///< cut the canvas to the largest rectangle without empty places
  /// [pixel] the most pixels of the canvas, before it is cropped
  std::uint64_t max_canvas = std::uint64_t{1} << 32;
  /// [MiB] memory for decoded images while the mosaic is drawn
  int image_memory = 1024;
  /// The pairs of images that are matched, by their indices; none: all. Pairs of images that overlap where these put
  /// them are compared all the same.
  std::optional<std::vector<std::pair<std::size_t, std::size_t>>> pairs{};
  /// Two points or more of a pair make it a used one, which the others cannot contradict.
  std::vector<MosaicPoint> points{};

  bool operator==(const MosaicOptions&) const = default;
};

/// Name, kind, range, unit and meaning of every option.
template <>
const OptionTable<MosaicOptions>& option_table<MosaicOptions>();

/// Throws Error(invalid_option), which names the option.
void validate(const MosaicOptions& options);

/// What happens to an image.
enum class MosaicImageStatus {
  placed,
  identical,        ///< it is the same as an earlier image
  redundant,        ///< others show all of it; see MosaicOptions::keep_redundant
  no_overlap,       ///< no other image shows the same
  second_panorama,  ///< it belongs to images that overlap each other, but not those of the mosaic
  failed,           ///< it cannot be loaded, or is too large
};

/// An image of a mosaic, and what became of it.
struct MosaicImage {
  std::string name;                                          ///< as the caller gives it
  ImageSize size;                                            ///< [pixel]
  std::size_t keypoints = 0;                                 ///< that were found in it
  MosaicImageStatus status = MosaicImageStatus::no_overlap;  ///< what became of it
  ValueRange scale{};  ///< the stored values that are 0 and full scale while the mosaic is made
  std::string reason;  ///< why it is left out, one sentence without a full stop; empty if it is placed
  /// Maps pixels (x, y, 1), without their distortion, to the common frame, row by row: to a point of the reference
  /// image's plane [pixel], or to a ray of a turning camera (x to the right, y down, z forward; z is the centre of a
  /// stereographic projection).
  std::array<double, 9> frame_from_image{};
  double focal_length = 0;  ///< [pixel] of a turning camera, otherwise 0
  /// Lens distortion: a pixel at the distance r from the centre, in halves of the diagonal, is drawn as if it were at
  /// r / (1 − radial·r²).
  double radial = 0;
  /// [pixel] the standard deviation of the image's corners relative to the reference image, that follows from the
  /// deviations of the matches
  double uncertainty = 0;
  std::array<double, 3> gain{1, 1, 1};  ///< factors of red, green and blue that its exposure is divided by
};

/// What a pair is worth.
enum class MosaicPairStatus {
  unrelated,     ///< no homography, or too few inliers: confidence ≤ 1
  used,          ///< its matches determine the mosaic
  inconsistent,  ///< the other pairs contradict it, for example where a pattern repeats
  undecidable,   ///< a pattern repeats, so that the images agree at several places, and no other pair decides
  watermark,     ///< what agrees stands at the same pixels of both, and no more: a caption, a logo, a frame
};

/// A pair of images of a mosaic, and what became of it.
struct MosaicPair {
  int a = 0, b = 0;              ///< indices of the images, a < b
  int matches = 0, inliers = 0;  ///< of features
  int patches = 0;               ///< places that agree by their intensities
  /// The features are those of copies whose contrast is the same everywhere: the features of the images themselves
  /// connect one of the two with no other, or with few.
  bool even_contrast = false;
  bool by_hand = false;  ///< some of its matches are MosaicOptions::points
  /// inliers / (8 + 0.3·matches in the overlap), which is above 1 for correct pairs (Brown & Lowe, IJCV 2007);
  /// 1000 by hand
  double confidence = 0;
  MosaicPairStatus status = MosaicPairStatus::unrelated;  ///< what it is worth
  double residual = 0;  ///< [pixel] root-mean-square distance of the inliers under the chosen model
  double held_out = 0;  ///< [pixel] the same of the inliers that were held out from the estimation
  /// [pixel] the way from a to b through the tree of the strongest pairs, against the homography of the pair itself (of
  /// a turning camera: the rotation that fits its inliers); 0 for pairs of the tree
  double loop_error = 0;
};

/// A model that was tried. A fifth of the inliers is held out from the estimation. The chosen model is the first in the
/// order of MosaicModel whose error there is at most 1.1 times the smallest, plus 0.03 pixels; for a turning camera
/// twice the smallest, plus 0.5 pixels, and where it sees 50° and more, up to 0.5 % of half the diagonal: its hand
/// moves a little, and a plane draws a wide view bowed.
struct MosaicCandidate {
  MosaicModel model = MosaicModel::similarity;  ///< never automatic
  bool distortion = false;                      ///< with radial lens distortion
  int parameters = 0;                           ///< of all images together
  double residual = 0;                          ///< [pixel] root mean square over the inliers that were used
  double held_out = 0;                          ///< [pixel] over those that were held out
};

/// Colour correction: a pixel at the distance r from the centre, in halves of the diagonal, is divided by
/// gain·exp(vignetting[0]·r² + vignetting[1]·r⁴), with the gain of each of red, green and blue. 0 where the images do
/// not show the vignetting.
using Vignetting = std::array<double, 2>;

/// All that is known of a mosaic before it is drawn.
struct MosaicPlan {
  std::vector<MosaicImage> images;  ///< one for each input
  std::vector<MosaicPair> pairs;    ///< the pairs with at least one match, by a, then b
  bool found = false;               ///< there is a mosaic
  std::string reason;               ///< why there is no mosaic; empty if found

  MosaicModel model = MosaicModel::similarity;  ///< never automatic
  bool distortion = false;                      ///< radial lens distortion is corrected
  bool exposure = false;                        ///< exposure and vignetting are corrected
  std::string why;                              ///< why this model, one sentence
  std::vector<MosaicCandidate> candidates;      ///< those that were tried, in the order of MosaicModel
  int reference = -1;                           ///< the image whose frame is kept
  double residual = 0, held_out = 0;            ///< [pixel] of all used pairs
  std::optional<double> loop_error;             ///< [pixel] the largest of the used pairs; none if there is no loop
  std::vector<std::string> warnings;            ///< for people
  Vignetting vignetting{};                      ///< of all images

  MosaicProjection projection = MosaicProjection::plane;  ///< never automatic
  /// Canvas pixel (x, y) shows the point (x + left, y + top) / scale of the projection: a point of the plane, or an
  /// angle [radian], and for a cylinder the height in units of its radius. The width of a whole turn
  /// is 2π·scale. For pannini it is (2·tan(φ/2), (1 + tan²(φ/2))·t), for the longitude φ and the tangent t of the
  /// latitude; for stereographic it is at 2·tan(θ/2) from the centre, for the angle θ from it.
  double scale = 1, left = 0, top = 0;
  std::uint64_t width = 0, height = 0;  ///< [pixel] of the canvas
  PixelType depth = PixelType::u8;      ///< the deepest of the images that are placed
  /// The values that 0 and full scale stand for. Images of one type have one range, which holds the `scale` of all:
  /// the mosaic has their values. For images of several types it is the full range of the deepest, as for
  /// photographs. All others are values of an own unit, of a measurement: they are not clipped, and where no image
  /// shows anything floats are NaN and whole numbers 0.
  ValueRange values{};

  struct Details;
  std::shared_ptr<const Details> details;  ///< for drawing; not public
};

/// The words of enumerators for programs and people: "rotation", "cylinder", "second_panorama".
std::string_view word(MosaicModel model);
/// The word of an enumerator.
std::string_view word(MosaicProjection projection);
/// The word of an enumerator.
std::string_view word(MosaicExposure exposure);
/// The word of an enumerator.
std::string_view word(MosaicImageStatus status);
/// The word of an enumerator.
std::string_view word(MosaicPairStatus status);

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

/// The side of the blocks [pixel]. The last of a row or a column end at the canvas: they are smaller, or larger by up
/// to a quarter.
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
