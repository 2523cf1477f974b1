#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/api.h"
#include "octavo/detectors.h"
#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/keypoint.h"

namespace OCTAVO_API octavo {

/// What became of a candidate, in the order in which it is decided. The first four are those of SIFT, the next six
/// those of FOAGDD. The others are those of every detector.
enum class CandidateVerdict : std::uint8_t {
  unstable,         ///< did not settle within five steps, moved more than five pixels, or left the octave's inner part
  low_contrast,     ///< S·|D(x̂)| is below the contrast threshold
  on_edge,          ///< its principal curvatures differ by more than the edge threshold
  duplicate,        ///< settled where another candidate did, which stands for both
  below_threshold,  ///< its measure at the first scale does not exceed the threshold
  not_highest,      ///< a pixel of its 5×5 neighbourhood has a higher measure at the first scale
  scale_2,          ///< its measure at the second scale does not exceed the threshold
  scale_3,          ///< … at the third scale
  scale_4,          ///< … at the fourth scale
  scale_5,          ///< … at the fifth scale
  outside_mask,     ///< the mask is 0 at its nearest pixel
  no_orientation,   ///< its window has no gradient
  over_budget,      ///< other points were better, and there were max_features of them
  kept,             ///< it gave keypoints
};
/// How many verdicts there are.
inline constexpr std::size_t verdict_count = 14;

/// The verdicts that candidates with these options can have, in the order of CandidateVerdict.
std::vector<CandidateVerdict> verdicts_of(const DetectorOptions& options);

/// "unstable", "low contrast", "edge", "duplicate", "below threshold", "not highest", "scale 2" … "scale 5", "outside
/// mask", "no orientation", "over budget", "kept".
std::string_view name_of(CandidateVerdict verdict);

/// Red, green, blue of a verdict in images; no two are alike.
std::array<std::uint8_t, 3> colour_of(CandidateVerdict verdict);

/// A point that a detector takes into consideration, and what it became.
///
/// SIFT: a grid point of an octave where the difference of Gaussians is greater, or less, than at all 26 neighbours,
/// and beyond half the contrast threshold. FOAGDD: a pixel whose measure at the first scale exceeds the threshold, or
/// that is the highest of its 5×5 neighbourhood and would exceed the threshold at twice the contrast.
struct Candidate {
  std::int32_t octave = 0;           ///< −1 is the doubled image, 0 the image itself; 0 with FOAGDD
  std::int32_t layer = 0;            ///< SIFT: 1…S; FOAGDD: the scale that judged it last, from 1
  std::int32_t row = 0, column = 0;  ///< [pixel of the octave]
  float x = 0, y = 0;  ///< [pixel of the image] where refinement settled; of an unstable one, the grid point
  float scale = 0;     ///< [pixel of the image] σ there
  /// SIFT: D(x̂), of an unstable one D at the grid point, images being 0…1; its sign: a bright spot is < 0. FOAGDD: the
  /// response, log10 of the measure at the first scale.
  float value = 0;
  /// SIFT: the ratio of the larger to the smaller principal curvature of D, at least 1; infinite where their signs
  /// differ; 0 of an unstable one. What --edge-threshold bounds.
  float curvature_ratio = 0;
  std::int32_t keypoints = 0;                             ///< how many it gave, one for each orientation
  CandidateVerdict verdict = CandidateVerdict::unstable;  ///< what it became
};

/// One octave of an inspection. FOAGDD has one, which is the image itself, if the image is large enough for corners.
struct InspectedOctave {
  int octave = 0;                ///< −1 is the doubled image, 0 the image itself
  int width = 0, height = 0;     ///< [pixel of the octave]
  int blurs = 0;                 ///< Gaussian images, S + 3; FOAGDD: the one in which corners are described, or none
  int differences = 0;           ///< S + 2; difference i is blur i + 1 less blur i
  std::vector<double> sigmas{};  ///< [pixel of the image] σ of each of the blurs
  /// Points that are extreme, but too weak for candidates. SIFT: per layer 1…S, at [layer − 1], those where D is not
  /// beyond half the contrast threshold; the engine looks no further at them. FOAGDD: one number, of the highest pixels
  /// of their neighbourhoods that stay below the threshold at twice the contrast, measures of 0 aside.
  std::vector<std::int64_t> faint;
  std::array<std::int64_t, verdict_count> verdicts{};  ///< candidates with each verdict
  std::int64_t keypoints = 0;                          ///< that it gave
};

/// One scale of FOAGDD, and what it rejects. judged = below_threshold + not_highest + passed.
struct InspectedScale {
  int scale = 0;            ///< from 1
  double sigma = 0;         ///< [pixel²] σ, a variance: 1.5·scale
  std::int64_t judged = 0;  ///< scale 1: all pixels that can be corners; later: those that passed the one before
  std::int64_t below_threshold = 0;  ///< pixels whose measure does not exceed the threshold
  std::int64_t not_highest = 0;      ///< pixels above it that are not the highest of their neighbourhood; scale 1 alone
  std::int64_t passed = 0;           ///< to the next scale
};

/// The blur that makes an image of an octave: weights[k] applies to the pixels at distance k along rows and columns on
/// both sides. All weights of a row, 2·radius + 1 of them, sum to 1.
struct BlurKernel {
  int level = 0;               ///< of the blur that it makes; 0: the first of the first octave, from the image
  double sigma = 0;            ///< [pixel of the octave] of this kernel alone
  std::vector<float> weights;  ///< from the centre outwards
};

/// A filter of FOAGDD: the derivative of a scale in a direction, as StagePlane has it.
struct DirectionalFilter {
  int scale = 0;               ///< from 1
  int direction = 0;           ///< from 0
  int side = 0;                ///< [pixel] of the square; the pixel that is filtered is its centre
  std::vector<float> weights;  ///< row by row
};

/// What happened to an image on its way to keypoints.
struct Inspection {
  Features features;                     ///< those of an Extractor with the same options
  std::vector<InspectedOctave> octaves;  ///< from the finest to the coarsest; empty for images that are too small
  std::vector<Candidate> candidates;     ///< ascending by octave, layer, row, column
  std::vector<InspectedScale> scales;    ///< of FOAGDD, from the finest; empty for other detectors and tiny images
  /// Of FOAGDD: for each candidate its responses at all scales, one after the other; −∞ for a measure of 0.
  std::vector<float> responses;
  /// SIFT, by level. They are the same in every octave, but only the first octave has the kernel of level 0: the first
  /// image of a later octave is every second pixel of the octave before. Trilateral smoothing has this kernel alone.
  std::vector<BlurKernel> kernels;
  std::vector<DirectionalFilter> filters;  ///< of FOAGDD: K of each scale; empty for other detectors and tiny images
  /// What contrast thresholds are multiplied by: C where trilateral smoothing goes by it (TrilateralRange),
  /// otherwise 1.
  float contrast = 1;

  /// The responses of a candidate at all scales. Empty unless the detector is FOAGDD.
  [[nodiscard]] std::span<const float> responses_of(std::size_t candidate) const {
    return std::span(responses).subspan(candidate * scales.size(), scales.size());
  }
};

/// An image that is made on the way: a blur or a difference of an octave, or, of trilateral smoothing, a step to a
/// blur. These are, by stage:
///  - "image": the image in grey in the size of the first octave, not blurred: doubled, or as it is. Later octaves
///  begin
///    with every second pixel of a blur; with repeated smoothing the first blur is the image;
///  - "gradient": √(gx² + gy²) of the blur of this level, per pixel;
///  - "region": of its pixels how far [pixel] gradients are alike, fθ, as far as the widest window asks for it;
///  - "smoothed_gradient": the size of the smoothed gradients by which the blur of this level is made; only of those
///    that smooth them, from σ_c = 3 on;
///  - "detail": the blur of this level less that which it was made of.
/// Every blur that another is made of has a gradient and a region; with the direct schedule that is the first alone.
/// FOAGDD has, for each scale,
///  - "derivative": the absolute response to the filter in the direction θ = π·level/K from the downward one towards
///  the
///    right one, grey values being 0…255;
///  - "measure": log10 of the corner measure, −∞ where the measure is 0 and at the outer 4 pixels, which have none;
/// and "blur": the Gaussian image in which corners are described, if they are.
struct StagePlane {
  std::string stage;   ///< "blur", "difference", "derivative" … as above
  int octave = 0;      ///< −1 is the doubled image
  int level = 0;       ///< from 0; −1 of a stage that has one plane, the image or the measure
  double sigma = 0;    ///< [pixel of the octave] of the blur of this level; of a difference, the sharper of its two;
                       ///< of a derivative or a measure σ as in InspectedScale
  ImageView pixels{};  ///< one channel f32, of the octave's size; read only while it is being shown
  float black = 0;     ///< the value that images show as black …
  float white = 1;     ///< … and as white, linear between them
  bool is_signed = false;  ///< values lie on both sides of 0: black = −white, and 0 is grey
  bool has_peaks = false;  ///< the greatest values matter: reduced() keeps them
  int scale = 0;           ///< of FOAGDD, from 1; 0: none

  /// "octave-1_blur0", "octave0_difference3", "scale2_derivative7", "scale2_measure": its name as a file, without
  /// ending.
  [[nodiscard]] std::string name() const;
};

/// Takes a plane when it is there, in the order image, steps of the trilateral filter, blurs, differences, octave by
/// octave. `so_far` has the features.
using ShowPlane = std::function<void(const StagePlane& plane, const Inspection& so_far)>;

/// Extracts the features of the image, then goes through the stages of the detector once more, and says of every
/// candidate what became of it, with the engine's own arithmetic: the candidates that are kept are the points of the
/// features. Planes are made on the CPU whatever the device; they are the same on all. At any time one octave of SIFT
/// is in memory, S + 4 planes and those of the trilateral filter, or one scale of FOAGDD, K + 1 planes, and the
/// measures of all. Blurs are shown from the least (black) to the greatest (white) value of the first, those of a flat
/// image (where these are less than 1/65536 apart) from 0 to 1; the image likewise by its own values; differences from
/// −w (black) to w (white), where of 200 values in the octave 199 lie between. Gradients are shown from 0 to what 199
/// of 200 stay below, smoothed ones like those they were made of; regions from 0 to the largest; details like
/// differences, each by itself. Derivatives are shown from 0 to what 199 of 200 of their scale stay below. In a measure
/// the threshold is the middle grey, and white is the greatest value, or what twice the contrast makes of the threshold
/// if that is more. Throws what Extractor::extract and its constructor throw, and what `show` does.
Inspection inspect(const ImageView& image, const ImageView* mask, const DetectorOptions& options,
                   const DeviceOptions& device, const ShowPlane& show);

/// Whether the detector has a scale space with differences, which PackedPyramid shows. Throws Error(invalid_option).
bool has_differences(const DetectorOptions& options);

/// Throws Error(invalid_option) and Error(device_unavailable) as `inspect` does, without an image.
void check_inspection(const DetectorOptions& options, const DeviceOptions& device);

/// The memory that `inspect` takes for images of the shape of `image`, whose pixels are not read, and what is
/// available. `masked`: there is a mask. The image, the mask and what `show` takes are not part of it. `inspect` throws
/// Error(out_of_memory) before the work if even the least is not available. Throws Error(invalid_option),
/// Error(device_unavailable), and Error(invalid_argument) for a shape that is none of an image.
MemoryEstimate estimate_inspection(const ImageView& image, bool masked, const DetectorOptions& options,
                                   const DeviceOptions& device);

/// How many pixels of a plane, each way, become one of an image whose sides are at most `longest_side`; 0: any.
int reduction(int width, int height, int longest_side);

/// Of each square of factor × factor pixels one value (f32): the mean; of a plane with a sign the value farthest from
/// 0, since means of differences are next to 0 wherever there is detail; of a plane with peaks the greatest value.
/// Squares at the right and lower edge are what there is of them.
Image reduced(const StagePlane& plane, int factor);

/// The image (u8, one channel) of a plane, or of its reduced copy: 255·(v − black)/(white − black), rounded, 0…255;
/// of one with a sign 128 + 127·v/white, rounded, 1…255, so that 128 is exactly 0.
Image image_of(const ImageView& pixels, const StagePlane& plane);

}  // namespace octavo
