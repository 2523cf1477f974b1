// A homography explains a pair of a camera that only turned, or of a flat scene, and tells nothing of depth. Neighbours
// in a walk are such pairs too, and walls of real scenes: of the photographs of entry-P10 (Strecha et al., 2008) 82 %
// of the verified matches, and their model is right. Those of cameras that turn have 95 % and more.

#include "multiview/sfm/doubts.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "multiview/sfm/camera_models.h"
#include "multiview/sfm/shared_places.h"
#include "multiview/sfm/similarity.h"
#include "multiview/sfm/weak_link.h"

namespace octavo::sfm {
namespace {

constexpr double much = 0.9;   // of the verified matches
constexpr double flat = 0.01;  // the least extent of points by the second one; 0.2 and more of real scenes
// Of the parts of images that those from one side share: right models of scenes have 0.85 and more, one of a turntable
// 0.76, a tower of equal sides 0.67, a facade of equal windows 0.44, rooms with one poster 0.14.
constexpr double least_shared = 0.7;
constexpr std::size_t fewest_pairs = 8;
// The weakest links of right models have 0.45 and more of the usual points, and 190; those of images and mirror images,
// and of two scenes with some things in common, 0.03 to 0.12, and at most 81.
constexpr double most_of_usual = 0.2;
constexpr std::size_t sure_points = 100;
// The bounds of COLMAP's mapper. Focal lengths are by the longer side.
constexpr double least_focal_ratio = 0.1, most_focal_ratio = 10, most_distortion = 1;
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

// A doubt of cameras: which of their numbers, and what is wrong with them.
struct CameraDoubt {
  std::span<const double> (*numbers)(const CameraModel& known, const SfmCamera& camera);
  bool (*is_likely)(double number, double longer_side);
  std::string what;  // the subject of the sentence, which goes on "of 2 of 3 cameras are …"
  std::string limits;
  std::string_view unit;
};

std::span<const double> focal_lengths(const CameraModel& known, const SfmCamera& camera) {
  return std::span(camera.parameters).first(known.focal_lengths);
}

// Without the rational ones, whose numerator and denominator may both be large.
std::span<const double> distortion(const CameraModel& known, const SfmCamera& camera) {
  if (known.distortion == Distortion::rational) return {};
  return std::span(camera.parameters).last(known.terms);
}

// The sentence names each camera in doubt by one of its images.
std::string sentence_of(const CameraDoubt& doubt, const SfmModel& model) {
  std::set<std::uint32_t> told;
  std::vector<std::string> names;
  for (const auto& [id, image] : model.images) {
    const SfmCamera& camera = model.cameras.at(image.camera);
    const CameraModel* const known = find_camera_model(camera.model);
    if (known == nullptr || camera.parameters.size() != known->parameters()) continue;
    const std::span<const double> numbers = doubt.numbers(*known, camera);
    const double side = static_cast<double>(std::max(camera.width, camera.height));
    const bool is_likely = std::ranges::all_of(numbers, [&](double one) { return doubt.is_likely(one, side); });
    if (is_likely || !told.insert(image.camera).second) continue;
    names.push_back(fmt::format("'{}' {:.4g}{}", image.name, fmt::join(numbers, " × "), doubt.unit));
  }
  if (names.empty()) return {};
  const std::size_t count = names.size();
  names.resize(std::min<std::size_t>(count, 5));
  return fmt::format(
      "{} of {} of {} cameras are not between {}, so the model is doubtful: {}{}; `cameras` one or `camera_params` "
      "give "
      "the mapper less to guess",
      doubt.what, count, model.cameras.size(), doubt.limits, fmt::join(names, ", "), count > names.size() ? " …" : "");
}

std::vector<std::string> doubts_of_cameras(const SfmModel& model) {
  const CameraDoubt of_focal_lengths{
      focal_lengths,
      [](double length, double side) {
        return length >= least_focal_ratio * side && length <= most_focal_ratio * side;
      },
      "the focal lengths",
      fmt::format("{} and {} times the longer side of their images", least_focal_ratio, most_focal_ratio), " pixels"};
  const CameraDoubt of_distortion{distortion, [](double term, double) { return std::abs(term) <= most_distortion; },
                                  "the numbers of the distortion", "-1 and 1, as those of lenses are", ""};
  std::vector<std::string> doubts;
  for (const CameraDoubt& doubt : {of_focal_lengths, of_distortion}) {
    if (std::string sentence = sentence_of(doubt, model); !sentence.empty()) doubts.push_back(std::move(sentence));
  }
  return doubts;
}

std::string doubt_of_places(const SharedPlaces& shared) {
  if (shared.pairs < fewest_pairs || shared.lower_quartile >= least_shared) return {};
  return fmt::format(
      "a quarter of the images that it puts at nearly one view share points in at most {:.0f} % of what they show, "
      "such as '{}' and '{}': they may show different things that look alike in part, and poses may be wrong",
      std::ceil(100 * shared.lower_quartile), shared.a, shared.b);
}

std::string doubt_of_link(const WeakLink& link) {
  if (link.usual_points == 0 || static_cast<double>(link.points) >= most_of_usual * link.usual_points) return {};
  if (link.points >= sure_points) return {};
  return fmt::format(
      "no two images of its parts, the smaller of which has {}, share more than {} points ('{}' and '{}'; else {:.0f} "
      "are "
      "usual): things that look alike may join what does not belong together, and poses may be wrong",
      link.smaller_part, link.points, link.a, link.b, link.usual_points);
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
  for (const std::string& doubt : doubts_of_cameras(model.model)) doubts.push_back(fmt::format("{}: {}", name, doubt));
  if (const std::string depth = lack_of_depth(pairs_of_model(pairs, images, model.model)); !depth.empty()) {
    doubts.push_back(fmt::format("{}: {}", name, depth));
  } else if (is_flat(model.model)) {
    doubts.push_back(fmt::format("{}: its points lie on a plane, which leaves depth and unknown focal lengths open; {}",
                                 name, who_joins));
  }
  for (const std::string& alike :
       {doubt_of_places(shared_places(model.model)), doubt_of_link(weakest_link(model.model))}) {
    if (!alike.empty()) doubts.push_back(fmt::format("{}: {}", name, alike));
  }
  return doubts;
}

}  // namespace octavo::sfm
