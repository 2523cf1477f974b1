// A homography explains a pair of a camera that only turned, or of a flat scene, and tells nothing of depth. Neighbours
// in a walk are such pairs too, and walls of real scenes: of the photographs of entry-P10 (Strecha et al., 2008) 82 %
// of the verified matches, and their model is right. Those of cameras that turn have 95 % and more.

#include "multiview/sfm/doubts.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "multiview/sfm/camera_models.h"
#include "multiview/sfm/similarity.h"

namespace octavo::sfm {
namespace {

constexpr double much = 0.9;   // of the verified matches
constexpr double flat = 0.01;  // the least extent of points by the second one; 0.2 and more of real scenes
constexpr double least_focal_ratio = 0.1, most_focal_ratio = 10;  // by the longer side, as COLMAP's mapper bounds them
constexpr auto who_joins = "octavo mosaic joins images of a camera that turns or of a flat scene";

double homography_share(std::span<const SfmPair> pairs) {
  std::uint64_t all = 0, explained = 0;
  for (const SfmPair& pair : pairs) {
    if (pair.inliers < least_inliers) continue;
    all += pair.inliers;
    if (pair.is_homography) explained += pair.inliers;
  }
  return all > 0 ? static_cast<double>(explained) / static_cast<double>(all) : 0;
}

std::string share_text(std::span<const SfmPair> pairs) {
  return fmt::format(
      "{:.0f} % of the verified matches are in pairs that a homography explains, which show no depth: the camera only "
      "turned, the scene is flat, or only images from nearly one place are paired",
      100 * homography_share(pairs));
}

std::span<const double> focal_lengths_of(const SfmCamera& camera) {
  const CameraModel* const known = find_camera_model(camera.model);
  if (known == nullptr || camera.parameters.size() < known->focal_lengths) return {};
  return std::span(camera.parameters).first(known->focal_lengths);
}

bool has_likely_focal_length(const SfmCamera& camera) {
  const double side = static_cast<double>(std::max(camera.width, camera.height));
  return std::ranges::all_of(focal_lengths_of(camera), [&](double length) {
    return length >= least_focal_ratio * side && length <= most_focal_ratio * side;
  });
}

// The cameras with other focal lengths, each by one of its images.
std::string focal_doubt(const SfmModel& model) {
  std::set<std::uint32_t> told;
  std::vector<std::string> names;
  for (const auto& [id, image] : model.images) {
    const SfmCamera& camera = model.cameras.at(image.camera);
    if (has_likely_focal_length(camera) || !told.insert(image.camera).second) continue;
    names.push_back(fmt::format("'{}' {:.4g} pixels", image.name, fmt::join(focal_lengths_of(camera), " × ")));
  }
  if (names.empty()) return {};
  const std::size_t count = names.size();
  names.resize(std::min<std::size_t>(count, 5));
  return fmt::format(
      "the focal lengths of {} of {} cameras are not between {} and {} times the longer side of their images, so the "
      "model is doubtful: {}{}; `cameras` one or `camera_params` give the mapper less to guess",
      count, model.cameras.size(), least_focal_ratio, most_focal_ratio, fmt::join(names, ", "),
      count > names.size() ? " …" : "");
}

bool is_flat(const SfmModel& model) {
  std::vector<Place3> places;
  for (const auto& [id, point] : model.points) places.push_back(point.place);
  const Place3 extents = extents_of(places);
  return extents[2] < flat * extents[1];
}

std::vector<SfmPair> pairs_of_model(std::span<const SfmPair> pairs, std::span<const SfmImageResult> images,
                                    const SfmModel& model) {
  std::set<std::string> names;
  for (const auto& [id, image] : model.images) names.insert(image.name);
  std::vector<SfmPair> own;
  std::ranges::copy_if(pairs, std::back_inserter(own), [&](const SfmPair& pair) {
    return names.contains(images[pair.a].name) && names.contains(images[pair.b].name);
  });
  return own;
}

}  // namespace

bool are_without_depth(std::span<const SfmPair> pairs) { return homography_share(pairs) >= much; }

std::string lack_of_depth(std::span<const SfmPair> pairs) {
  return are_without_depth(pairs) ? fmt::format("{}; {}", share_text(pairs), who_joins) : std::string();
}

std::vector<std::string> doubts_of(const SfmModelResult& model, std::span<const SfmImageResult> images,
                                   std::span<const SfmPair> pairs) {
  const std::string name = "model " + model.folder.filename().string();
  std::vector<std::string> doubts;
  if (const std::string focal = focal_doubt(model.model); !focal.empty()) {
    doubts.push_back(fmt::format("{}: {}", name, focal));
  }
  if (const std::string depth = lack_of_depth(pairs_of_model(pairs, images, model.model)); !depth.empty()) {
    doubts.push_back(fmt::format("{}: {}", name, depth));
  } else if (is_flat(model.model)) {
    doubts.push_back(fmt::format("{}: its points lie on a plane, which leaves depth and unknown focal lengths open; {}",
                                 name, who_joins));
  }
  return doubts;
}

}  // namespace octavo::sfm
