// The result of a reconstruction as text.

#include <fmt/core.h>

#include "octavo/multiview/sfm.h"

namespace octavo {
namespace sfm {
namespace {

std::string gps_text(const SfmGps& gps) {
  return fmt::format("  metres            east, north, up of {}, {}, {} m\n", gps.origin.latitude, gps.origin.longitude,
                     gps.origin.altitude.value_or(0)) +
         fmt::format("  GPS residual      {:.2f} m, {} of {} places\n", gps.rms, gps.used, gps.places.size());
}

std::string model_text(const SfmModelResult& model) {
  return fmt::format("model               {}\n", model.folder.string()) +
         fmt::format("  images            {}\n", model.model.images.size()) +
         fmt::format("  points            {}\n", model.model.points.size()) +
         fmt::format("  track length      {:.2f}\n", model.mean_track) +
         fmt::format("  reprojection      {:.3f} px\n", model.mean_error) +
         (model.gps && model.gps->metres_from_mapper ? gps_text(*model.gps) : "");
}

std::string panorama_text(const SfmPanorama& panorama) {
  if (!panorama.model) return fmt::format("panorama            {}: no view is in a model\n", panorama.name);
  const auto& [x, y, z] = panorama.centre;
  const std::string share =
      panorama.nearest
          ? fmt::format(", {:.1f} % of {:.4g}", 100 * panorama.centre_spread / *panorama.nearest, *panorama.nearest)
          : "";
  return fmt::format(
      "panorama            {}: {} of {} views at {:.4g} {:.4g} {:.4g}, spread {:.2g}{}, {:.2f} degrees\n",
      panorama.name, panorama.registered, panorama.views.size(), x, y, z, panorama.centre_spread, share,
      panorama.rotation_spread);
}

}  // namespace
}  // namespace sfm

std::string text_of(const SfmResult& result) {
  std::string text = fmt::format("mapper              {}\n", result.mapper.program) +
                     fmt::format("registered          {} of {} images\n", result.registered(), result.images.size());
  for (const SfmModelResult& model : result.models) text += sfm::model_text(model);
  for (const SfmPanorama& panorama : result.panoramas) text += sfm::panorama_text(panorama);
  for (const SfmImageResult& image : result.images) {
    if (!image.model) text += fmt::format("in no model         {}: {}\n", image.name, sentence_of(image));
  }
  return text;
}

}  // namespace octavo
