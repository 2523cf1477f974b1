// The table of the options of mosaics, and the words of their enumerators.

#include <array>

#include "engine/core/option_rows.h"
#include "octavo/multiview/mosaic.h"

namespace octavo {

namespace {

constexpr std::array<std::string_view, 5> model_words{"auto", "similarity", "rotation", "affine", "homography"};
constexpr std::array<std::string_view, 6> projection_words{"auto",   "plane",   "cylinder",
                                                           "sphere", "pannini", "stereographic"};
constexpr std::array<std::string_view, 3> exposure_words{"auto", "on", "off"};
constexpr std::array<std::string_view, 6> image_status_words{"placed",     "identical",       "redundant",
                                                             "no_overlap", "second_panorama", "failed"};
constexpr std::array<std::string_view, 5> pair_status_words{"unrelated", "used", "inconsistent", "undecidable",
                                                            "watermark"};

}  // namespace

template <>
const OptionTable<MosaicOptions>& option_table<MosaicOptions>() {
  constexpr std::string_view group = "Mosaic options";
  static const OptionTable<MosaicOptions> table{
      .name = "mosaic",
      .title = "Mosaics",
      .subject = "mosaic",
      .options = {
          option<&MosaicOptions::model>(
              {.name = "model",
               .group = group,
               .sentence = "How the images are related: shift, turn and size (scans); a camera that turns about its "
                           "centre; a flat scene seen from far, or from anywhere. auto: the simplest that explains the "
                           "matches.",
               .words = model_words}),
          option<&MosaicOptions::projection>(
              {.name = "projection",
               .group = group,
               .sentence = "The surface on which the mosaic is drawn. auto: a plane for flat scenes and up to 90 "
                           "degrees, a cylinder for wide panoramas, a sphere where they are high too. pannini: up to "
                           "240 degrees wide, verticals and lines to the centre stay straight. stereographic: a disc "
                           "of up to 300 degrees around the centre; of a ring, a little planet.",
               .words = projection_words}),
          option<&MosaicOptions::distortion>(
              {.name = "distortion",
               .group = group,
               .sentence = "Look for radial lens distortion, and use it where it explains the matches better."}),
          option<&MosaicOptions::exposure>(
              {.name = "exposure",
               .group = group,
               .sentence = "Correct exposure, white balance and vignetting. auto: not of values in a unit of their "
                           "own, such as temperatures.",
               .words = exposure_words}),
          option<&MosaicOptions::keep_redundant>(
              {.name = "keep_redundant",
               .group = group,
               .sentence =
                   "Keep images that add nothing, because others show all of them: frames of a slow pan, further "
                   "exposures of one place."}),
          option<&MosaicOptions::seams>(
              {.name = "seams",
               .group = group,
               .sentence = "Lead seams where the images agree; otherwise halfway between the images."}),
          option<&MosaicOptions::bands>(
              {.name = "bands",
               .group = group,
               .sentence = "Bands of the blending, fewer for small images; 0: images are cut at the seams.",
               .symbol = "N",
               .low = 0,
               .high = 8}),
          option<&MosaicOptions::crop>({.name = "crop",
                                        .group = group,
                                        .sentence = "Cut the mosaic to the largest rectangle without empty places."}),
          option<&MosaicOptions::max_canvas>({.name = "max_canvas",
                                              .group = group,
                                              .sentence = "Refuse a mosaic of more than N pixels, before memory is "
                                                          "taken for it.",
                                              .symbol = "N",
                                              .unit = "pixel",
                                              .low = 1,
                                              .high = 1e11}),
          option<&MosaicOptions::image_memory>(
              {.name = "image_memory",
               .group = group,
               .sentence = "Memory for decoded images, in MiB. With less of it images are decoded more often.",
               .symbol = "MIB",
               .low = 1,
               .high = 1 << 20}),
      }};
  return table;
}

void validate(const MosaicOptions& options) { option_table<MosaicOptions>().validate(options); }

std::string_view word(MosaicModel model) { return model_words.at(static_cast<std::size_t>(model)); }
std::string_view word(MosaicProjection projection) { return projection_words.at(static_cast<std::size_t>(projection)); }
std::string_view word(MosaicExposure exposure) { return exposure_words.at(static_cast<std::size_t>(exposure)); }
std::string_view word(MosaicImageStatus status) { return image_status_words.at(static_cast<std::size_t>(status)); }
std::string_view word(MosaicPairStatus status) { return pair_status_words.at(static_cast<std::size_t>(status)); }

}  // namespace octavo
