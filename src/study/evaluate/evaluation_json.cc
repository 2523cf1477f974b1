// The numbers of an evaluation as JSON, in the order in which the manuals list them.

#include "study/evaluate/evaluation_json.h"

namespace octavo::evaluation {

Json as_json(const Summary& s) {
  Json json{{"pairs", s.pairs},
            {"keypoints", s.keypoints},
            {"repeatability", s.repeatability},
            {"one_to_one", s.correspondence_share},
            {"mma", s.matching_accuracy},
            {"matches", s.matches},
            {"correct", s.correct},
            {"precision", s.precision},
            {"matching_score", s.matching_score},
            {"homographies", s.homographies}};
  for (auto& [name, value] : json.items()) {
    if (s.pairs == 0 && name != "pairs" && name != "homographies") value = nullptr;
  }
  const bool known = s.homographies > 0;
  json["homography_accuracy"] = known ? Json(s.homography_accuracy) : nullptr;
  json["homography_auc"] = known ? Json(s.homography_area) : nullptr;
  json["regions"] = known ? Json(s.regions) : nullptr;
  json["region_repeatability"] = known ? Json(s.region_repeatability) : nullptr;
  json["corresponding_regions"] = known ? Json(s.corresponding_regions) : nullptr;
  return json;
}

Json as_json(const PairScores& s) {
  Json json{{"keypoints_a", s.keypoints_a},
            {"keypoints_b", s.keypoints_b},
            {"common_a", s.common_a},
            {"common_b", s.common_b},
            {"points_a", s.points_a},
            {"points_b", s.points_b},
            {"repeated_a", s.repeated_a},
            {"repeated_b", s.repeated_b},
            {"corresponding", s.corresponding},
            {"mutual_matches", s.mutual_matches},
            {"mutual_judged", s.mutual_judged},
            {"mutual_correct", s.mutual_correct},
            {"matches", s.matches},
            {"judged", s.judged},
            {"correct", s.correct},
            {"repeatability", repeatability(s)},
            {"one_to_one", correspondence_share(s)},
            {"mma", matching_accuracy(s)},
            {"precision", precision(s)},
            {"matching_score", matching_score(s)}};
  if (s.has_true_homography) {
    json["regions_a"] = s.regions_a;
    json["regions_b"] = s.regions_b;
    json["corresponding_regions"] = s.corresponding_regions;
    json["region_repeatability"] = region_repeatability(s);
    json["homography_b_from_a"] = s.homography ? Json(*s.homography) : nullptr;
    json["corner_error"] = s.homography ? Json(s.corner_error) : nullptr;
  }
  return json;
}

Json as_json(const Setting& setting) { return parse_json(json_of(setting)); }

Json as_json(const EvaluationCircumstances& circumstances) {
  return {{"octavo", circumstances.version},
          {"date", circumstances.date},
          {"exif_rotation", circumstances.exif_rotation},
          {"covisible_only", circumstances.covisible_only},
          {"robust", parse_json(json_of(option_table<RobustOptions>(), circumstances.robust))}};
}

void complete(Json& document, const EvaluationCircumstances& circumstances, const Json& settings,
              const std::vector<std::string>& problems, const std::vector<std::string>& warnings) {
  std::vector<int> thresholds;
  for (std::size_t i = 1; i <= threshold_count; ++i) thresholds.push_back(static_cast<int>(i));
  document.update(as_json(circumstances));
  document.update({{"thresholds", thresholds},
                   {"overlap_errors", overlap_errors},
                   {"settings", settings},
                   {"problems", problems},
                   {"warnings", warnings}});
}

}  // namespace octavo::evaluation
