// The table of SIFT's options, and the presets, which are named after their sources.

#include "octavo/sift_options.h"

#include <array>

#include "engine/core/check.h"
#include "engine/core/option_rows.h"
#include "octavo/error.h"

namespace octavo {

namespace {

// The values that were chosen on photographs (docs/evaluation.md).
SiftOptions octavo() { return {}; }

// More of what the default gains by: scales, exact blurs, sizes of windows, points on edges.
SiftOptions best() { return {.layers = 5, .blur_truncate = 4, .edge_threshold = 80, .pool = 5, .pool_to = 2.5}; }

// Exact places: fine images, few points on edges, and one window for each descriptor, since several also match points
// whose places differ. The budget is COLMAP's, which counts points and not the keypoints that their orientations make.
SiftOptions sfm() {
  return {.layers = 5,
          .sigma = 1.8,
          .blur_truncate = 4,
          .edge_threshold = 10,
          .max_orientations = 2,
          .pool = 0,
          .max_points = 8192};
}

// What signatures of clips hold, and the vocabulary was learned from. It must not change.
SiftOptions signature() {
  return {.blur_truncate = 3,
          .edge_threshold = 20,
          .orientation = OrientationMethod::lowe,
          .max_orientations = 4,
          .pool = 0};
}

// Lowe 2004: S = 3, σ0 = 1.6, an image with a blur of 0.5 pixels (§3.2, §3.3); contrast |D(x̂)| < 0.03 (§4), which is
// 0.09 of our t = S·|D|; r = 10 (§4.1).
SiftOptions lowe2004() {
  return {.layers = 3,
          .sigma = 1.6,
          .assumed_blur = 0.5,
          .blur_truncate = 4,
          .contrast_threshold = 0.09,
          .edge_threshold = 10,
          .orientation = OrientationMethod::lowe,
          .max_orientations = 4,
          .descriptor = DescriptorKind::sift,
          .pool = 0,
          .max_features = 0,
          .rank = Rank::response};
}

SiftOptions opencv() {
  SiftOptions options = lowe2004();
  options.contrast_threshold = 0.04;
  options.luma = Luma::bt601;
  return options;
}

// COLMAP's defaults: peak threshold 0.02/S, 4 octaves from −1, at most 2 orientations, the 8192 largest, RootSIFT.
SiftOptions colmap() {
  SiftOptions options = lowe2004();
  options.max_octaves = 4;
  options.contrast_threshold = 0.02;
  options.max_orientations = 2;
  options.descriptor = DescriptorKind::rootsift;
  options.max_features = 8192;
  options.rank = Rank::scale;
  return options;
}

// Lo 2022: 4 octaves from −1, 5 blurs and 4 differences each. Its table of σ begins at 0.707 pixels of the image, which
// are √2 pixels of the doubled one (rounded down, so that ⌈4σ⌉ is 4, 8 and 16 where 4σ is). |D| < 0.03 is 0.06 of our t
// = S·|D| at S = 2. r = 10.
SiftOptions ece277() {
  SiftOptions options = lowe2004();
  options.max_octaves = 4;
  options.layers = 2;
  options.sigma = 1.41421356;
  options.contrast_threshold = 0.06;
  options.luma = Luma::bt601;  // as its slides make grey
  return options;
}

// Gives the options that depend on the smoothing the values of others.
void take_what_smoothing_sets(const SiftOptions& from, SiftOptions& options) {
  options.layers = from.layers;
  options.sigma = from.sigma;
  options.assumed_blur = from.assumed_blur;
  options.blur_truncate = from.blur_truncate;
  options.contrast_threshold = from.contrast_threshold;
  options.edge_threshold = from.edge_threshold;
  options.rank = from.rank;
}

// Lowe's blurs. Trilateral smoothing leaves no differences along edges, and its weak points match as often as its
// strong ones (docs/trilateral-sift.md), so there is no edge test and no contrast threshold. A budget goes by response:
// larger points are placed much less exactly than with Gaussian blurs.
SiftOptions usual_of_trilateral() {
  SiftOptions options = lowe2004();
  options.contrast_threshold = 0;
  options.edge_threshold = 0;
  return options;
}

// Mizuno 2015, whose filter Sawada 2024 adopts: each image is filtered from the one before, and there is no edge test.
// There is no contrast threshold: with one of 0.04 a seventh of the right matches is left, fewer than SIFT over
// Gaussian blurs has, but the sources print several times as many as that (docs/trilateral-sift.md).
SiftOptions mizuno2015() {
  SiftOptions options = usual_of_trilateral();
  options.smoothing = Smoothing::trilateral;
  options.trilateral_schedule = SmoothingSchedule::incremental;
  options.trilateral_range = TrilateralRange::gradients;
  options.trilateral_truncate = 5.77;
  return options;
}

// tsp 2023: a pyramid of differences. 6 octaves from 0; one kernel of 7 taps, σ = √2 (rounded down, so that ⌈2σ⌉ is 3).
// Four images and three differences each.
SiftOptions tsp2023() {
  SiftOptions options = lowe2004();
  options.first_octave = 0;
  options.max_octaves = 6;
  options.layers = 1;
  options.sigma = 1.41421356;
  options.contrast_threshold = 0.04;
  options.smoothing = Smoothing::repeated;
  return options;
}

// For images that see a scene from very different sides: ellipses of views in place of fitted ones.
SiftOptions wide() { return {.views = Views::few}; }

constexpr std::array<OptionPreset<SiftOptions>, 11> presets{{{"octavo", octavo},
                                                             {"best", best},
                                                             {"sfm", sfm},
                                                             {"wide", wide},
                                                             {"signature", signature},
                                                             {"lowe2004", lowe2004},
                                                             {"opencv", opencv},
                                                             {"colmap", colmap},
                                                             {"ece277", ece277},
                                                             {"mizuno2015", mizuno2015},
                                                             {"tsp2023", tsp2023}}};

constexpr std::array<std::string_view, 3> smoothing_words{"gaussian", "trilateral", "repeated"};
constexpr std::array<std::string_view, 2> border_words{"mirrored", "repeated"};
constexpr std::array<std::string_view, 2> schedule_words{"direct", "incremental"};
constexpr std::array<std::string_view, 2> range_words{"contrast", "gradients"};
constexpr std::array<std::string_view, 3> views_words{"none", "few", "many"};
constexpr std::array<std::string_view, 2> orientation_words{"lowe", "pooled"};
constexpr std::array<std::string_view, 3> rank_words{"response", "scale", "scaled-response"};

constexpr std::array untargeted_need{OptionNeed{"target_features", "0"}};
constexpr std::array keypoints_needs{OptionNeed{"target_features", "0"}, OptionNeed{"max_points", "0"}};
constexpr std::array ranked_needs{OptionNeed{"target_features", "0"}, OptionNeed{"max_features", "0", true}};
constexpr std::array trilateral_need{OptionNeed{"smoothing", "trilateral"}};
constexpr std::array pool_need{OptionNeed{"pool", "0", true}};
constexpr std::array first_blur_need{OptionNeed{"smoothing", "repeated", true}};

void detection_follows(SiftOptions& options, const SiftOptions& before) {
  if (options.smoothing == before.smoothing) return;
  take_what_smoothing_sets(options.smoothing == Smoothing::trilateral ? usual_of_trilateral() : SiftOptions(), options);
}

// A budget of keypoints replaces one of points.
void points_follow(SiftOptions& options, const SiftOptions&) { options.max_points = 0; }

// So that rank and grid, which need a budget, have an effect.
void budget_follows(SiftOptions& options, const SiftOptions&) {
  if (options.max_features == 0) options.max_features = options.max_points;
}

std::vector<Option<SiftOptions>> rows() {
  constexpr std::string_view detection = "Detection options", selection = "Selection options",
                             description = "Description options";
  return {
      option<&SiftOptions::first_octave>(
          {.name = "first_octave",
           .group = detection,
           .sentence = "First octave: -1 works on the image doubled and finds small points too, 0 on the image as it "
                       "is and is about four times faster.",
           .symbol = "N",
           .low = -1,
           .high = 0}),
      option<&SiftOptions::max_octaves>(
          {.name = "max_octaves",
           .group = detection,
           .sentence = "Octaves at most; 0: until the short side is below 12 pixels, or 4 with repeated "
                       "smoothing.",
           .symbol = "N",
           .low = 0,
           .high = 32}),
      option<&SiftOptions::smoothing>(
          {.name = "smoothing",
           .group = detection,
           .sentence = "What smooths the images within an octave: Gaussian blurs, or the trilateral filter, which "
                       "leaves edges steep, finds some times as many points and takes much longer. With it, what is "
                       "not given has other values: no edge test, no contrast threshold, 3 layers, sigma 1.6, assumed "
                       "blur 0.5, blurs cut off at 4 sigmas, rank response. Or one Gaussian kernel repeated, for a "
                       "pyramid of differences without keypoints.",
           .words = smoothing_words},
          detection_follows),
      option<&SiftOptions::layers>({.name = "layers",
                                    .group = detection,
                                    .sentence = "Scales per octave at which extrema are sought.",
                                    .symbol = "N",
                                    .low = 1,
                                    .high = 8}),
      option<&SiftOptions::sigma>({.name = "sigma",
                                   .group = detection,
                                   .sentence = "Blur of each octave's first image, in pixels of the octave; with "
                                               "repeated smoothing, of its one kernel.",
                                   .symbol = "PX",
                                   .unit = "pixel",
                                   .low = 0.8,
                                   .high = 4}),
      option<&SiftOptions::assumed_blur>({.name = "assumed_blur",
                                          .group = detection,
                                          .sentence = "Blur that the camera left in the image, in pixels.",
                                          .symbol = "PX",
                                          .unit = "pixel",
                                          .low = 0,
                                          .high = 4,
                                          .needs = first_blur_need}),
      option<&SiftOptions::blur_truncate>({.name = "blur_truncate",
                                           .group = detection,
                                           .sentence = "Where Gaussian blurs are cut off, in their sigmas: fewer are "
                                                       "faster.",
                                           .symbol = "SIGMAS",
                                           .low = 2,
                                           .high = 4,
                                           .needs = first_blur_need}),
      option<&SiftOptions::border>({.name = "border",
                                    .group = detection,
                                    .sentence = "What Gaussian blurs read beyond the edges of the image: its pixels "
                                                "mirrored, or the last ones repeated.",
                                    .words = border_words}),
      option<&SiftOptions::trilateral_schedule>(
          {.name = "trilateral_schedule",
           .group = detection,
           .sentence = "What an image of trilateral smoothing is filtered from: the first of its octave, or the one "
                       "before it.",
           .words = schedule_words,
           .needs = trilateral_need}),
      option<&SiftOptions::trilateral_range>(
          {.name = "trilateral_range",
           .group = detection,
           .sentence = "What differences trilateral smoothing takes for small ones: by the contrast of the image, "
                       "which the contrast threshold follows too, or by the steepest of its edges, as in the sources.",
           .words = range_words,
           .needs = trilateral_need}),
      option<&SiftOptions::trilateral_window>(
          {.name = "trilateral_window",
           .group = detection,
           .sentence = "How large its windows are where gradients are alike up to F pixels away: 2^F / 2 pixels to "
                       "each side, as in the sources, or F.",
           .words = trilateral_window_words,
           .needs = trilateral_need}),
      option<&SiftOptions::trilateral_truncate>(
          {.name = "trilateral_truncate",
           .group = detection,
           .sentence = "Where its windows are cut off, in sigmas. The sources have no such limit; beyond 5.77 a pixel "
                       "has less than 2^-24 of the weight of the centre. The time grows with the square.",
           .symbol = "S",
           .low = 2,
           .high = 5.77,
           .needs = trilateral_need}),
      option<&SiftOptions::contrast_threshold>(
          {.name = "contrast_threshold",
           .group = detection,
           .sentence = "Drop a point if its contrast times the layers is below T, images being 0 to 1.",
           .symbol = "T",
           .low = 0,
           .high = 1,
           .needs = untargeted_need}),
      option<&SiftOptions::edge_threshold>(
          {.name = "edge_threshold",
           .group = detection,
           .sentence = "Drop a point on an edge: the largest ratio of principal curvatures, or 0 for no edge test.",
           .symbol = "R",
           .low = 1,
           .high = 1000,
           .special = 0}),
      option<&SiftOptions::luma>({.name = "luma",
                                  .group = detection,
                                  .sentence = "Weights that turn colour into grey; bt601 are OpenCV's.",
                                  .words = luma_words}),
      option<&SiftOptions::grey>(
          {.name = "grey_on",
           .group = detection,
           .sentence =
               "Where colour becomes grey: on the device, or on the host, rounded to samples, so that a GPU receives a "
               "third of the bytes.",
           .words = grey_words}),
      option<&SiftOptions::views>(
          {.name = "views",
           .group = detection,
           .sentence =
               "Also find points in views of the image that are compressed in one direction, after Morel and Yu "
               "(2009): 14 few, 28 many. For planes seen from aside, at 5 or 9 times the time.",
           .words = views_words}),
      option<&SiftOptions::target_features>(
          {.name = "target_features",
           .group = selection,
           .sentence = "Keep the N strongest points, whatever their contrast: the contrast threshold is the one that "
                       "gives N. 0: by `contrast_threshold` and `max_features`.",
           .symbol = "N",
           .low = 0,
           .high = 100'000'000}),
      option<&SiftOptions::max_features>({.name = "max_features",
                                          .group = selection,
                                          .sentence = "Keep the N best points; 0 keeps all.",
                                          .symbol = "N",
                                          .low = 0,
                                          .high = 100'000'000,
                                          .needs = keypoints_needs},
                                         points_follow),
      option<&SiftOptions::max_points>(
          {.name = "max_points",
           .group = selection,
           .sentence = "Keep the N best points with all their orientations, as COLMAP counts a budget: "
                       "`max_features` counts each orientation of a point. 0: by `max_features`.",
           .symbol = "N",
           .low = 0,
           .high = 100'000'000,
           .needs = untargeted_need},
          budget_follows),
      option<&SiftOptions::rank>({.name = "rank",
                                  .group = selection,
                                  .sentence =
                                      "Which points are best: the strongest, the largest, or those of the greatest "
                                      "response times scale, where a scale above 3 pixels counts as 3.",
                                  .words = rank_words,
                                  .needs = ranked_needs}),
      option<&SiftOptions::grid>(
          {.name = "grid",
           .group = selection,
           .sentence = "Share `max_features` among G by G cells of the image, so that points do not crowd.",
           .symbol = "G",
           .low = 1,
           .high = 64,
           .needs = ranked_needs}),
      option<&SiftOptions::descriptor>(
          {.name = "descriptor",
           .group = description,
           .sentence = "Descriptors after Lowe (2004), or RootSIFT after Arandjelovic and Zisserman (2012).",
           .words = descriptor_words}),
      option<&SiftOptions::pool>(
          {.name = "pool",
           .group = description,
           .sentence = "Average each descriptor over windows of N sizes, after Dong and Soatto (2015): matches more "
                       "points that look different in size, and takes longer. 0: one window.",
           .symbol = "N",
           .low = 2,
           .high = 32,
           .special = 0}),
      option<&SiftOptions::pool_from>({.name = "pool_from",
                                       .group = description,
                                       .sentence = "The smallest of these windows, in units of the usual one.",
                                       .symbol = "A",
                                       .low = 0.125,
                                       .high = 1,
                                       .needs = pool_need}),
      option<&SiftOptions::pool_to>({.name = "pool_to",
                                     .group = description,
                                     .sentence = "The largest of these windows, in units of the usual one.",
                                     .symbol = "B",
                                     .low = 1,
                                     .high = 8,
                                     .needs = pool_need}),
      option<&SiftOptions::affine>(
          {.name = "affine",
           .group = description,
           .sentence = "Fit an ellipse to each point, after Mikolajczyk and Schmid (2004), and describe what is in it: "
                       "matches more where the viewpoint changes much."}),
      option<&SiftOptions::upright>(
          {.name = "upright",
           .group = description,
           .sentence = "One keypoint per point, orientation 0: for images that are not rotated."}),
      option<&SiftOptions::orientation>(
          {.name = "orientation",
           .group = description,
           .sentence = "Which gradients give a point its orientations: those of one window, after Lowe (2004), or of "
                       "two windows, smoothed more, which other views of the point agree on more often.",
           .words = orientation_words,
           .needs = turned_need}),
      option<&SiftOptions::max_orientations>(
          {.name = "max_orientations",
           .group = description,
           .sentence = "Keypoints at most that one point gives, one for each strong orientation.",
           .symbol = "N",
           .low = 1,
           .high = 4,
           .needs = turned_need}),
  };
}

}  // namespace

template <>
const OptionTable<SiftOptions>& option_table<SiftOptions>() {
  static const OptionTable<SiftOptions> table{.name = "sift",
                                              .title = "SIFT",
                                              .sentence = "blobs of any size, after Lowe (2004)",
                                              .options = rows(),
                                              .presets = {presets.begin(), presets.end()}};
  return table;
}

void validate(const SiftOptions& options) { option_table<SiftOptions>().validate(options); }

bool finds_keypoints(const SiftOptions& options) { return options.smoothing != Smoothing::repeated; }

void require_keypoints(const SiftOptions& options) {
  if (finds_keypoints(options)) return;
  throw Error(ErrorCode::invalid_option,
              InvalidOption{"smoothing", "\"repeated\"",
                            "must be gaussian or trilateral for keypoints: repeated makes a pyramid alone"});
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const OptionPreset<SiftOptions>& one : presets) names.emplace_back(one.name);
  return names;
}

SiftOptions preset(std::string_view name) { return option_table<SiftOptions>().preset(name); }

}  // namespace octavo
