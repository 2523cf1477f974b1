#include "multiview/sfm/result_json.h"

#include <fmt/core.h>

namespace octavo {
namespace sfm {
namespace {

Json picture_json(const SfmPictureResult& picture) {
  const std::string reason = sentence_of(picture);
  return {{"name", picture.name},
          {"model", picture.model ? Json(*picture.model) : Json()},
          {"keypoints", picture.keypoints},
          {"matched_pairs", picture.matched},
          {"verified_pairs", picture.verified},
          {"best_inliers", picture.best_inliers},
          {"points", picture.points},
          {"reprojection_error", picture.error ? Json(*picture.error) : Json()},
          {"failure", picture.failure == SfmFailure::none ? Json() : Json(word_of(picture.failure))},
          {"reason", reason.empty() ? Json() : Json(reason)}};
}

Json model_json(const SfmModelResult& result) {
  Json cameras = Json::array();
  for (const auto& [id, camera] : result.model.cameras) {
    cameras.push_back({{"id", id},
                       {"model", camera.model},
                       {"width", camera.width},
                       {"height", camera.height},
                       {"parameters", camera.parameters}});
  }
  return {{"folder", result.folder.string()},       {"pictures", result.model.pictures.size()},
          {"points", result.model.points.size()},   {"observations", result.observations},
          {"mean_track_length", result.mean_track}, {"mean_reprojection_error", result.mean_error},
          {"error_bin_width", error_bin_width},     {"error_bins", result.error_bins},
          {"track_lengths", result.track_lengths},  {"cameras", cameras}};
}

}  // namespace

Json as_json(const SfmResult& result) {
  Json pictures = Json::array(), pairs = Json::array(), models = Json::array();
  for (const SfmPictureResult& picture : result.pictures) pictures.push_back(picture_json(picture));
  for (const SfmPair& pair : result.pairs) {
    pairs.push_back({{"a", pair.a}, {"b", pair.b}, {"matches", pair.matches}, {"inliers", pair.inliers}});
  }
  for (const SfmModelResult& model : result.models) models.push_back(model_json(model));
  return {{"photographs", result.photographs.string()},
          {"database", result.database.string()},
          {"mapper", name_of(result.mapper.kind)},
          {"mapper_program", result.mapper.program},
          {"registered", result.registered()},
          {"database_seconds", result.database_seconds},
          {"verify_seconds", result.verify_seconds},
          {"map_seconds", result.map_seconds},
          {"models", models},
          {"mapper_failure", result.failure.empty() ? Json() : Json(result.failure)},
          {"pictures", pictures},
          {"pairs", pairs},
          {"problems", result.problems}};
}

}  // namespace sfm

std::string sentence_of(const SfmPictureResult& picture) {
  switch (picture.failure) {
    case SfmFailure::none:
      return "";
    case SfmFailure::no_keypoints:
      return "it has no keypoints";
    case SfmFailure::no_matches:
      return "it has no matches with another picture";
    case SfmFailure::few_inliers:
      return fmt::format("too few inliers: its best pair has {} verified matches, and {} are needed",
                         picture.best_inliers, least_inliers);
    case SfmFailure::not_connected:
      return "not connected: no verified pairs lead from it to a picture of a model";
    case SfmFailure::not_registered:
      return "it has verified pairs, but the mapper did not register it";
  }
  return "";
}

std::string json_of(const SfmResult& result) { return json_text(sfm::as_json(result)); }

}  // namespace octavo
