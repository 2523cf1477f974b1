// Matches are verified by a homography, a fundamental or an essential matrix.

#include "cli/match/verification.h"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <numbers>

#include "cli/wrong_call.h"

namespace octavo::cli {
namespace {

Camera camera_of(const std::optional<CameraWords>& words, const PictureFacts& facts) {
  if (words && words->principal_point) {
    return {words->fx, words->fy, words->principal_point->x, words->principal_point->y};
  }
  const ImageSize size = facts.size.value();
  const double fx = words ? words->fx : facts.focal_length.value(), fy = words ? words->fy : fx;
  return {fx, fy, (size.width - 1) / 2.0, (size.height - 1) / 2.0};
}

double degrees(double radians) { return radians * 180 / std::numbers::pi; }

template <std::size_t count>
void print_rows(const char* title, const std::array<double, count>& numbers) {
  for (std::size_t row = 0; row < count / 3; ++row) {
    fmt::print("{:18}  {:14.8g} {:14.8g} {:14.8g}\n", row == 0 ? title : "", numbers[3 * row], numbers[3 * row + 1],
               numbers[3 * row + 2]);
  }
}

}  // namespace

PictureFacts facts_of(const Photograph& photograph) {
  return {ImageSize{photograph.image.width(), photograph.image.height()}, photograph.focal_length};
}

void require_known_camera(const MatchCall& call, const std::optional<CameraWords>& camera, bool is_picture_known) {
  if (call.verify != Verify::essential || is_picture_known || (camera && camera->principal_point)) return;
  throw WrongCall(
      camera ? "--camera must be FX,FY,CX,CY for stored features, since the sizes of their pictures are not known"
             : "--verify essential needs --camera for stored features, since they do not tell the focal length");
}

void require_focal_length(const MatchCall& call, const std::optional<CameraWords>& camera, const std::string& name,
                          const PictureFacts& facts) {
  if (call.verify != Verify::essential || camera || facts.focal_length) return;
  throw WrongCall(fmt::format(
      "--verify essential needs --camera, the focal length in pixels, since the EXIF data of {} do not give it", name));
}

std::optional<EssentialModel> verified(const MatchCall& call, const Features& a, const PictureFacts& facts_a,
                                       const Features& b, const PictureFacts& facts_b, std::span<const Match> matches) {
  switch (call.verify) {
    case Verify::none:
      return std::nullopt;
    case Verify::homography:
      return EssentialModel{estimate_homography(a, b, matches, call.robust)};
    case Verify::fundamental:
      return EssentialModel{estimate_fundamental(a, b, matches, call.robust)};
    case Verify::essential:
      break;
  }
  return estimate_essential(a, b, matches, camera_of(call.camera, facts_a), camera_of(call.words_of_b(), facts_b),
                            call.robust);
}

std::string_view model_word(Verify verify) {
  switch (verify) {
    case Verify::homography:
      return "homography";
    case Verify::fundamental:
      return "fundamental";
    case Verify::essential:
      return "essential";
    case Verify::none:
      break;
  }
  return "none";
}

Json verification_json(Verify verify, const EssentialModel& model) {
  Json json = {{"model", model_word(verify)}, {"inliers", model.inlier_count}};
  json["reason"] = model.found ? Json() : Json(model.reason);
  if (!model.found) {
    json["mean_inlier_error"] = nullptr;
    json["b_from_a"] = nullptr;
    return json;
  }
  json["mean_inlier_error"] = model.mean_inlier_error;
  json["b_from_a"] = model.b_from_a;
  if (verify == Verify::essential) {
    json["rotation_b_from_a"] = model.rotation_b_from_a;
    json["translation_b_from_a"] = model.translation_b_from_a;
    json["in_front"] = model.in_front_count;
    json["median_ray_angle"] = model.median_ray_angle;
  }
  return json;
}

Json matches_json(const Features& a, const Features& b, std::span<const Match> matches,
                  const std::optional<EssentialModel>& model) {
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
    if (model) list.back()["inlier"] = model->inliers[i] != 0;
  }
  return list;
}

void print_verification(Verify verify, const EssentialModel& model) {
  fmt::print("inliers      {}\n", model.inlier_count);
  if (!model.found) return;
  fmt::print("inlier error {:.3f} px\n", model.mean_inlier_error);
  print_rows(fmt::format("{} B from A", model_word(verify)).c_str(), model.b_from_a);
  if (verify != Verify::essential) return;
  print_rows("rotation B from A", model.rotation_b_from_a);
  print_rows("translation", model.translation_b_from_a);
  fmt::print("in front     {}\n", model.in_front_count);
  fmt::print("ray angle    {:.3g} degrees (median)\n", degrees(model.median_ray_angle));
}

}  // namespace octavo::cli
