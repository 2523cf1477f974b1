#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/device.h"
#include "octavo/image.h"
#include "octavo/keypoint.h"
#include "octavo/memory_estimate.h"
#include "octavo/sift_options.h"

namespace octavo {

/// What became of a candidate, in the order in which it is decided.
enum class Verdict : std::uint8_t {
  unstable,        ///< did not settle within five steps, or left the octave's inner part
  low_contrast,    ///< S·|D(x̂)| is below the contrast threshold
  on_edge,         ///< its principal curvatures differ by more than the edge threshold
  duplicate,       ///< settled where another candidate did, which stands for both
  outside_mask,    ///< the mask is 0 at its nearest pixel
  no_orientation,  ///< its window has no gradient
  over_budget,     ///< other points were better, and there were max_features of them
  kept,            ///< it gave keypoints
};
inline constexpr std::size_t verdict_count = 8;

/// "unstable", "low contrast", "edge", "duplicate", "outside mask", "no orientation", "over budget", "kept".
std::string_view name_of(Verdict verdict);

/// Red, green, blue of a verdict in pictures; no two are alike.
std::array<std::uint8_t, 3> colour_of(Verdict verdict);

/// A grid point of an octave where the difference of Gaussians is greater, or less, than at all 26 neighbours, and
/// beyond half the contrast threshold; what it became.
struct Candidate {
  std::int32_t octave = 0;           ///< −1 is the doubled image, 0 the image itself
  std::int32_t layer = 0;            ///< 1…S
  std::int32_t row = 0, column = 0;  ///< [pixel of the octave]
  float x = 0, y = 0;  ///< [pixel of the image] where refinement settled; of an unstable one, the grid point
  float scale = 0;     ///< [pixel of the image] σ there
  float value = 0;  ///< D(x̂), of an unstable one D at the grid point, images being 0…1; its sign: a bright spot is < 0
  /// Ratio of the larger to the smaller principal curvature of D, at least 1; infinite where their signs differ; 0 of
  /// an unstable one. What --edge-threshold bounds.
  float curvature_ratio = 0;
  std::int32_t keypoints = 0;  ///< how many it gave, one for each orientation
  Verdict verdict = Verdict::unstable;
};

/// One octave of an inspection.
struct InspectedOctave {
  int octave = 0;
  int width = 0, height = 0;  ///< [pixel of the octave]
  int blurs = 0;              ///< Gaussian images, S + 3
  int differences = 0;        ///< S + 2; difference i is blur i + 1 less blur i
  /// Per layer 1…S, at [layer − 1]: points where D is extreme but not beyond half the contrast threshold. The engine
  /// looks no further at them.
  std::vector<std::int64_t> faint;
  std::array<std::int64_t, verdict_count> verdicts{};  ///< candidates with each verdict
  std::int64_t keypoints = 0;
};

/// The blur that makes an image of an octave: weights[k] applies to the pixels at distance k along rows and columns on
/// both sides. All weights of a row, 2·radius + 1 of them, sum to 1.
struct BlurKernel {
  int level = 0;               ///< of the blur that it makes; 0: the first of the first octave, from the image
  double sigma = 0;            ///< [pixel of the octave] of this kernel alone
  std::vector<float> weights;  ///< from the centre outwards
};

/// What happened to an image on its way to keypoints.
struct Inspection {
  Features features;                     ///< those of an Extractor with the same options
  std::vector<InspectedOctave> octaves;  ///< from the finest to the coarsest; empty for images that are too small
  std::vector<Candidate> candidates;     ///< ascending by octave, layer, row, column
  /// By level. They are the same in every octave, but only the first octave has the kernel of level 0: the first image
  /// of a later octave is every second pixel of the octave before. Trilateral smoothing has this kernel alone.
  std::vector<BlurKernel> kernels;
  /// What contrast thresholds are multiplied by: C where trilateral smoothing goes by it (TrilateralRange),
  /// otherwise 1.
  float contrast = 1;
};

/// An image that is made on the way: a blur or a difference of an octave, or, of trilateral smoothing, a step to a
/// blur. These are, by stage:
///  - "gradient": √(gx² + gy²) of the blur of this level, per pixel;
///  - "region": of its pixels how far [pixel] gradients are alike, fθ, as far as the widest window asks for it;
///  - "smoothed_gradient": the size of the smoothed gradients by which the blur of this level is made; only of those
///    that smooth them, from σ_c = 3 on;
///  - "detail": the blur of this level less that which it was made of.
/// Every blur that another is made of has a gradient and a region; with the direct schedule that is the first alone.
struct StagePlane {
  std::string stage;       ///< "blur", "difference", "gradient", "region", "smoothed_gradient", "detail"
  int octave = 0;          ///< −1 is the doubled image
  int level = 0;           ///< from 0
  double sigma = 0;        ///< [pixel of the octave] of the blur of this level; of a difference, the sharper of its two
  ImageView pixels{};      ///< one channel f32, of the octave's size; read only while it is being shown
  float black = 0;         ///< the value that pictures show as black …
  float white = 1;         ///< … and as white, linear between them
  bool is_signed = false;  ///< values lie on both sides of 0: black = −white, and 0 is grey

  /// "octave-1_blur0", "octave0_difference3": its name as a file, without ending.
  [[nodiscard]] std::string name() const;
};

/// Takes a plane when it is there, in the order steps of the trilateral filter, blurs, differences, octave by octave.
/// `so_far` has the features.
using ShowPlane = std::function<void(const StagePlane& plane, const Inspection& so_far)>;

/// Extracts the features of the image, then goes through its scale space once more, octave by octave, and says of every
/// candidate what became of it, with the engine's own arithmetic: the candidates that are kept are the points of the
/// features. At any time one octave is in memory, S + 4 planes and those of the trilateral filter. Planes are made on
/// the CPU whatever the device; they are the same on all. Blurs are shown from the least (black) to the greatest
/// (white) value of the first, those of a flat image (where these are less than 1/65536 apart) from 0 to 1; differences
/// from −w (black) to w (white), where of 200 values in the octave 199 lie between. Gradients are shown from 0 to what
/// 199 of 200 stay below, smoothed ones like those they were made of; regions from 0 to the largest; details like
/// differences, each by itself. Throws what Extractor::extract and its constructor throw, and what `show` does.
Inspection inspect(const ImageView& image, const ImageView* mask, const SiftOptions& options,
                   const DeviceOptions& device, const ShowPlane& show);

/// The memory that `inspect` takes for images of the shape of `image`, whose pixels are not read, and what is
/// available. `masked`: there is a mask. The image, the mask and what `show` takes are not part of it. `inspect` throws
/// Error(out_of_memory) before the work if even the least is not available. Throws Error(invalid_option),
/// Error(device_unavailable), and Error(invalid_argument) for a shape that is none of an image.
MemoryEstimate estimate_inspection(const ImageView& image, bool masked, const SiftOptions& options,
                                   const DeviceOptions& device);

/// How many pixels of a plane, each way, become one of a picture whose sides are at most `longest_side`; 0: any.
int reduction(int width, int height, int longest_side);

/// Of each square of factor × factor pixels one value (f32): the mean, or, of a plane with a sign, the value farthest
/// from 0, since means of differences are next to 0 wherever there is detail. Squares at the right and lower edge are
/// what there is of them.
Image reduced(const StagePlane& plane, int factor);

/// The picture (u8, one channel) of a plane, or of its reduced copy: 255·(v − black)/(white − black), rounded, 0…255;
/// of one with a sign 128 + 127·v/white, rounded, 1…255, so that 128 is exactly 0.
Image picture_of(const ImageView& pixels, const StagePlane& plane);

/// The difference pyramid packed into one plane (f32) of 2×2 tiles: the upper left, upper right and lower left tile
/// hold the differences 0, 1 and 2 of the first octave, the lower right holds the next octave, half as large, in the
/// same way, and so on. This is the picture of "tsp 2023", a pyramid of differences without keypoints. With S = 1 an
/// octave has just these three; with S = 3 they cover each scale once; with another S some are left out or overlap.
class PackedPyramid {
 public:
  static constexpr int tiles = 3;  ///< differences per octave that are shown

  /// For a first octave of this size, each tile of it reduced until the sides of the plane are at most `longest_side`;
  /// 0: as large as it is. Throws Error(out_of_memory).
  PackedPyramid(int width, int height, int longest_side);

  /// Puts a difference into its tile; one that has none is left out. Octaves and differences come in any order.
  void add(const StagePlane& difference, int first_octave);

  /// It as a plane of the stage "packed", with the largest `white` of those added; valid while this object is.
  [[nodiscard]] StagePlane plane() const;

 private:
  Image canvas_;
  int tile_width_, tile_height_;
  float white_ = 0;
};

/// The picture (u8, RGB, darkened) with a dot for every candidate, in the colour of its verdict, kept ones on top;
/// below it a legend, as wide as it. `pixels_per_pixel`: of the picture, for one of the image in which candidates are
/// given. Throws Error(invalid_argument) for a picture that cannot be used.
Image draw_candidates(const ImageView& picture, std::span<const Candidate> candidates, double pixels_per_pixel);

/// How a descriptor came about: the pixels of the blur in which it was taken, around the keypoint, enlarged (u8, RGB,
/// `side` × `side`), the turned window of 4×4 cells and in each a rose of 8 arrows, as long as the descriptor's values.
/// `level` is the blur of the keypoint's octave and layer. Throws Error(invalid_argument) for a level without pixels.
Image draw_descriptor(const StagePlane& level, const Keypoint& keypoint,
                      std::span<const std::uint8_t, descriptor_length> descriptor, int side = 560);

}  // namespace octavo
