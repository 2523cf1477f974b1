// The numbers of an evaluation as JSON, in the order in which the manuals list them.

#include "study/evaluate/evaluation_json.h"

#include "io/json/matrix_json.h"

namespace octavo::evaluation {

Json as_json(const Summary& s) {
  Json json{{"pair_count", s.pairs},
            {"keypoint_count", s.keypoints},
            {"repeatability", s.repeatability},
            {"correspondence_share", s.correspondence_share},
            {"matching_accuracy", s.matching_accuracy},
            {"match_count", s.matches},
            {"correct_counts", s.correct},
            {"precision", s.precision},
            {"matching_score", s.matching_score},
            {"homography_count", s.homographies}};
  for (auto& [name, value] : json.items()) {
    if (s.pairs == 0 && name != "pair_count" && name != "homography_count") value = nullptr;
  }
  const bool known = s.homographies > 0;
  json["homography_accuracy"] = known ? Json(s.homography_accuracy) : nullptr;
  json["homography_auc"] = known ? Json(s.homography_area) : nullptr;
  json["region_count"] = known ? Json(s.regions) : nullptr;
  json["region_repeatability"] = known ? Json(s.region_repeatability) : nullptr;
  json["corresponding_region_counts"] = known ? Json(s.corresponding_regions) : nullptr;
  return json;
}

Json as_json(const PairScores& s) {
  Json json{{"keypoint_count_a", s.keypoints_a},
            {"keypoint_count_b", s.keypoints_b},
            {"common_count_a", s.common_a},
            {"common_count_b", s.common_b},
            {"point_count_a", s.points_a},
            {"point_count_b", s.points_b},
            {"repeated_counts_a", s.repeated_a},
            {"repeated_counts_b", s.repeated_b},
            {"corresponding_count", s.corresponding},
            {"mutual_match_count", s.mutual_matches},
            {"mutual_judged_count", s.mutual_judged},
            {"mutual_correct_counts", s.mutual_correct},
            {"match_count", s.matches},
            {"judged_count", s.judged},
            {"correct_counts", s.correct},
            {"repeatability", repeatability(s)},
            {"correspondence_share", correspondence_share(s)},
            {"matching_accuracy", matching_accuracy(s)},
            {"precision", precision(s)},
            {"matching_score", matching_score(s)}};
  if (s.has_true_homography) {
    json["region_count_a"] = s.regions_a;
    json["region_count_b"] = s.regions_b;
    json["corresponding_region_counts"] = s.corresponding_regions;
    json["region_repeatability"] = region_repeatability(s);
    json["homography"] = s.homography ? matrix_json(*s.homography) : nullptr;
    json["corner_error"] = s.homography ? Json(s.corner_error) : nullptr;
  }
  return json;
}

Json as_json(const Configuration& configuration) { return parse_json(json_of(configuration)); }

Json as_json(const EvaluationCircumstances& circumstances) {
  return {{"octavo", circumstances.version},
          {"date", circumstances.date},
          {"exif_rotation", circumstances.exif_rotation},
          {"covisible_only", circumstances.covisible_only},
          {"robust", parse_json(json_of(option_table<RobustOptions>(), circumstances.robust))}};
}

void complete(Json& document, const EvaluationCircumstances& circumstances, const Json& configurations,
              const std::vector<std::string>& problems, const std::vector<std::string>& warnings) {
  std::vector<int> thresholds;
  for (std::size_t i = 1; i <= threshold_count; ++i) thresholds.push_back(static_cast<int>(i));
  document.update(as_json(circumstances));
  document.update({{"thresholds", thresholds},
                   {"overlap_errors", overlap_errors},
                   {"configurations", configurations},
                   {"problems", problems},
                   {"warnings", warnings}});
}

}  // namespace octavo::evaluation
