#include "multiview/sfm/result_json.h"

#include <fmt/core.h>

namespace octavo {
namespace sfm {
namespace {

Json model_json(const SfmModelResult& result) {
  Json cameras = Json::array();
  for (const auto& [id, camera] : result.model.cameras) cameras.push_back(camera_json(id, camera));
  return {{"folder", result.folder.string()},
          {"image_count", result.model.images.size()},
          {"point_count", result.model.points.size()},
          {"observation_count", result.observations},
          {"mean_track_length", result.mean_track},
          {"mean_reprojection_error", result.mean_error},
          {"error_bin_width", error_bin_width},
          {"error_bins", result.error_bins},
          {"track_lengths", result.track_lengths},
          {"cameras", cameras},
          {"gps", result.gps ? gps_json(*result.gps) : Json()}};
}

Json panorama_json(const SfmPanorama& panorama) {
  Json views = Json::array();
  for (const SfmView& view : panorama.views) {
    views.push_back({{"image", view.image}, {"view_from_panorama", view.view_from_panorama}});
  }
  const auto of_pose = [&](Json value) { return panorama.model ? std::move(value) : Json(); };
  return {{"image", panorama.name},
          {"model_index", panorama.model ? Json(*panorama.model) : Json()},
          {"registered_view_count", panorama.registered},
          {"centre", of_pose(panorama.centre)},
          {"rotation", of_pose(panorama.rotation)},
          {"centre_spread", of_pose(panorama.centre_spread)},
          {"rotation_spread", of_pose(panorama.rotation_spread)},
          {"nearest_distance", panorama.nearest ? Json(*panorama.nearest) : Json()},
          {"disagreeing_views", panorama.off},
          {"doubts", panorama.doubts},
          {"views", views}};
}

}  // namespace

Json camera_json(std::uint32_t id, const SfmCamera& camera) {
  return {{"id", id},
          {"model", camera.model},
          {"width", camera.width},
          {"height", camera.height},
          {"parameters", camera.parameters}};
}

Json image_json(const SfmImageResult& image) {
  const std::string reason = sentence_of(image);
  return {{"image", image.name},
          {"model_index", image.model ? Json(*image.model) : Json()},
          {"keypoint_count", image.keypoints},
          {"matched_pair_count", image.matched},
          {"verified_pair_count", image.verified},
          {"best_inlier_count", image.best_inliers},
          {"point_count", image.points},
          {"reprojection_error", image.error ? Json(*image.error) : Json()},
          {"failure", image.failure == SfmFailure::none ? Json() : Json(word_of(image.failure))},
          {"reason", text_or_null(reason)}};
}

Json gps_json(const SfmGps& gps) {
  Json places = Json::array(), moved;
  for (const SfmPlace& place : gps.places) {
    places.push_back({{"image", place.image},
                      {"residual", gps.metres_from_mapper ? Json(place.residual) : Json()},
                      {"is_used", place.is_used}});
  }
  if (const auto& similarity = gps.metres_from_mapper) {
    moved = {
        {"scale", similarity->scale}, {"rotation", similarity->rotation}, {"translation", similarity->translation}};
  }
  return {{"origin",
           {{"latitude", gps.origin.latitude},
            {"longitude", gps.origin.longitude},
            {"altitude", gps.origin.altitude.value_or(0)}}},
          {"metres_from_mapper", moved},
          {"used_count", gps.used},
          {"rms_residual", gps.metres_from_mapper ? Json(gps.rms) : Json()},
          {"doubts", gps.doubts},
          {"places", places}};
}

Json as_json(const SfmResult& result) {
  Json images = Json::array(), pairs = Json::array(), models = Json::array(), panoramas = Json::array();
  for (const SfmImageResult& image : result.images) images.push_back(image_json(image));
  for (const SfmPair& pair : result.pairs) {
    pairs.push_back({{"image_a", result.images[pair.a].name},
                     {"image_b", result.images[pair.b].name},
                     {"match_count", pair.matches},
                     {"inlier_count", pair.inliers},
                     {"is_homography", pair.is_homography}});
  }
  for (const SfmModelResult& model : result.models) models.push_back(model_json(model));
  for (const SfmPanorama& panorama : result.panoramas) panoramas.push_back(panorama_json(panorama));
  return {{"folder", result.photographs.string()},
          {"database", result.database.string()},
          {"mapper", name_of(result.mapper.kind)},
          {"mapper_program", result.mapper.program},
          {"registered_image_count", result.registered()},
          {"database_seconds", result.database_seconds},
          {"verify_seconds", result.verify_seconds},
          {"refine_seconds", result.refine_seconds},
          {"map_seconds", result.map_seconds},
          {"models", models},
          {"mapper_failure", text_or_null(result.failure)},
          {"images", images},
          {"panoramas", panoramas},
          {"pairs", pairs},
          {"problems", result.problems},
          {"warnings", result.warnings}};
}

}  // namespace sfm

std::string sentence_of(const SfmImageResult& image) {
  switch (image.failure) {
    case SfmFailure::none:
      return "";
    case SfmFailure::no_keypoints:
      return "it has no keypoints";
    case SfmFailure::no_matches:
      return "it has no matches with another image";
    case SfmFailure::few_inliers:
      return fmt::format("too few inliers: its best pair has {} verified matches, and {} are needed",
                         image.best_inliers, least_inliers);
    case SfmFailure::not_connected:
      return "not connected: no verified pairs lead from it to an image of a model";
    case SfmFailure::no_depth:
      return "no depth: homographies explain its verified pairs, as of a camera that turns or a flat scene";
    case SfmFailure::not_registered:
      return "it has verified pairs, but the mapper made no model with it";
  }
  return "";
}

std::string json_of(const SfmResult& result) { return json_text(sfm::as_json(result)); }

}  // namespace octavo
