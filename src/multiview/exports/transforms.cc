// The keys are documented at docs.nerf.studio (data conventions); instant-ngp reads the same file. Its models of
// cameras are OPENCV (k1, k2, p1, p2) and OPENCV_FISHEYE (k1 to k4), which hold those of COLMAP that have fewer
// numbers.

#include "multiview/exports/transforms.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "io/json/json.h"
#include "multiview/sfm/camera_models.h"
#include "octavo/error.h"

namespace octavo::exports {
namespace {

using sfm::Distortion;
using Names = std::vector<std::string_view>;

constexpr auto undistort_first = "export `to` undistorted first, and then transforms of that folder";

// The keys of the numbers of a distortion, in their order, or none if there are none for it.
std::optional<Names> keys_of(Distortion distortion) {
  switch (distortion) {
    case Distortion::none:
      return Names();
    case Distortion::radial:
      return Names{"k1", "k2"};
    case Distortion::opencv:
      return Names{"k1", "k2", "p1", "p2"};
    case Distortion::fisheye:
      return Names{"k1", "k2", "k3", "k4"};
    case Distortion::rational:
    case Distortion::field_of_view:
    case Distortion::thin_prism:
      return std::nullopt;
  }
  return std::nullopt;
}

Distortion distortion_of(const SfmCamera& camera) { return sfm::find_camera_model(camera.model)->distortion; }

bool is_fisheye(const SfmCamera& camera) { return distortion_of(camera) == Distortion::fisheye; }

Json intrinsics_json(const SfmCamera& camera) {
  const Intrinsics lens = intrinsics_of(camera);
  Json json{{"w", camera.width}, {"h", camera.height}, {"fl_x", lens.fx},
            {"fl_y", lens.fy},   {"cx", lens.cx},      {"cy", lens.cy}};
  const Names names = *keys_of(distortion_of(camera));
  for (const std::string_view name : names) json[name] = 0;
  for (std::size_t i = 0; i < lens.distortion.size(); ++i) json[names[i]] = lens.distortion[i];
  return json;
}

// World from camera: the columns are right, up, back and the centre.
Json matrix_of(const SfmImage& image) {
  const auto axes = camera_axes(image);
  const auto centre = camera_centre(image);
  Json rows = Json::array();
  for (std::size_t k = 0; k < 3; ++k) rows.push_back({axes[0].at(k), -axes[1].at(k), -axes[2].at(k), centre.at(k)});
  rows.push_back({0, 0, 0, 1});
  return rows;
}

std::vector<const SfmImage*> images_by_name(const SfmModel& model) {
  std::vector<const SfmImage*> images;
  for (const auto& [id, image] : model.images) images.push_back(&image);
  std::ranges::sort(images, {}, &SfmImage::name);
  return images;
}

std::string_view name_of_cameras(const std::vector<const SfmCamera*>& cameras) {
  if (is_fisheye(*cameras.front())) return "OPENCV_FISHEYE";
  const bool are_pinholes =
      std::ranges::all_of(cameras, [](const SfmCamera* camera) { return distortion_of(*camera) == Distortion::none; });
  return are_pinholes ? "PINHOLE" : "OPENCV";
}

// Those of the images, by their ids.
std::vector<const SfmCamera*> cameras_of(const SfmModel& model) {
  std::set<std::uint32_t> ids;
  for (const auto& [id, image] : model.images) ids.insert(image.camera);
  std::vector<const SfmCamera*> cameras;
  for (const std::uint32_t id : ids) cameras.push_back(&model.cameras.at(id));
  return cameras;
}

}  // namespace

void require_transforms(const SfmModel& model) {
  const std::vector<const SfmCamera*> cameras = cameras_of(model);
  for (const SfmCamera* const camera : cameras) {
    if (keys_of(distortion_of(*camera))) continue;
    throw Error(ErrorCode::file_error, fmt::format("transforms.json has nothing like the camera model {}: {}",
                                                   camera->model, undistort_first));
  }
  const auto has_other_kind = [&](const SfmCamera* camera) {
    return is_fisheye(*camera) != is_fisheye(*cameras.front());
  };
  const auto other = std::ranges::find_if(cameras, has_other_kind);
  if (other == cameras.end()) return;
  throw Error(ErrorCode::file_error, fmt::format("transforms.json cannot hold the camera models {} and {} together: {}",
                                                 cameras.front()->model, (*other)->model, undistort_first));
}

std::string transforms_of(const SfmModel& model, const PathOfImage& path_of, const std::string& points) {
  const std::vector<const SfmCamera*> cameras = cameras_of(model);
  Json json{{"camera_model", name_of_cameras(cameras)}};
  if (is_fisheye(*cameras.front())) json["is_fisheye"] = true;  // for instant-ngp
  const bool is_one = cameras.size() == 1;
  if (is_one) json.update(intrinsics_json(*cameras.front()));
  if (!points.empty()) json["ply_file_path"] = points;
  Json frames = Json::array();
  for (const SfmImage* const image : images_by_name(model)) {
    Json frame{{"file_path", path_of(*image)}};
    if (!is_one) frame.update(intrinsics_json(model.cameras.at(image->camera)));
    frame["transform_matrix"] = matrix_of(*image);
    frames.push_back(std::move(frame));
  }
  json["frames"] = std::move(frames);
  return json_text(json, 1) + '\n';
}

}  // namespace octavo::exports
