// Matches and their verification as JSON.

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <utility>

#include "io/json/json.h"
#include "octavo/jobs/match_jobs.h"

namespace octavo {
namespace {

Json rows_json(const std::array<double, 9>& m) { return {{m[0], m[1], m[2]}, {m[3], m[4], m[5]}, {m[6], m[7], m[8]}}; }

Json verification_json(Verify verify, const EssentialModel& model) {
  const std::string matrix(verify == Verify::homography ? "homography" : fmt::format("{}_matrix", name_of(verify)));
  Json json = {{"model", name_of(verify)},
               {"inlier_count", model.inlier_count},
               {"reason", model.found ? Json() : Json(model.reason)},
               {"reprojection_error", model.found ? Json(model.reprojection_error) : Json()},
               {matrix, model.found ? rows_json(model.b_from_a) : Json()}};
  if (model.found && verify == Verify::essential) {
    json["rotation_b_from_a"] = rows_json(model.rotation_b_from_a);
    json["translation_b_from_a"] = model.translation_b_from_a;
    json["in_front_count"] = model.in_front_count;
    json["median_ray_angle"] = model.median_ray_angle;
  }
  auto sentences = Json::array(), kinds = Json::array();
  for (const ModelWarning& warning : model.warnings) {
    sentences.push_back(warning.sentence);
    kinds.push_back(word(warning.kind));
  }
  json["warnings"] = std::move(sentences);
  json["warning_kinds"] = std::move(kinds);
  return json;
}

Json matches_json(const Features& a, const Features& b, std::span<const Match> matches, const EssentialModel* model) {
  auto list = Json::array();
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const Match& match = matches[i];
    const Keypoint& in_a = a.keypoints[static_cast<std::size_t>(match.a)];
    const Keypoint& in_b = b.keypoints[static_cast<std::size_t>(match.b)];
    list.push_back({{"a", match.a},
                    {"b", match.b},
                    {"distance", std::sqrt(static_cast<double>(match.distance2))},
                    {"x_a", in_a.x},
                    {"y_a", in_a.y},
                    {"x_b", in_b.x},
                    {"y_b", in_b.y}});
    if (model != nullptr) list.back()["inlier"] = model->inliers[i] != 0;
  }
  return list;
}

}  // namespace

std::string json_of(Verify verify, const MatchedImages& pair, std::optional<double> seconds) {
  Json json = {{"image_a", pair.a.name.string()},
               {"image_b", pair.b.name.string()},
               {"keypoint_count_a", pair.features_a.size()},
               {"keypoint_count_b", pair.features_b.size()}};
  if (seconds) json["match_seconds"] = *seconds;
  if (pair.model != nullptr) json["verification"] = verification_json(verify, *pair.model);
  json["matches"] = matches_json(pair.features_a, pair.features_b, pair.matches, pair.model);
  return json_text(json);
}

}  // namespace octavo
