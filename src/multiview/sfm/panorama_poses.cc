// The poses of the views of a panorama, told together. Each view tells where the panorama stands and how it is turned.
// The one that the others are nearest to is where most agree; those that are far from it are left out.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "octavo/multiview/sfm.h"

namespace octavo {
namespace sfm {
namespace {

// What is far: a share of the distance between neighbouring panoramas, and [degree]. docs/experiments/sfm.md has the
// figures.
constexpr double far_share = 0.1, far_angle = 3;

// A panorama as one of its views has it.
struct Stand {
  const std::string* image = nullptr;
  Eigen::Vector3d centre;
  Eigen::Quaterniond rotation;  // from the model to the panorama's frame
};

Eigen::Quaterniond quaternion_of(const std::array<double, 4>& q) { return {q[0], q[1], q[2], q[3]}; }

double degrees_between(const Eigen::Quaterniond& a, const Eigen::Quaterniond& b) {
  return a.angularDistance(b) * 180 / std::numbers::pi;
}

using ImagesByName = std::map<std::string_view, const SfmImage*>;

ImagesByName images_by_name(const SfmModel& model) {
  ImagesByName images;
  for (const auto& [id, image] : model.images) images.emplace(image.name, &image);
  return images;
}

std::vector<Stand> stands_of(const SfmPanorama& panorama, const ImagesByName& images) {
  std::vector<Stand> stands;
  for (const SfmView& view : panorama.views) {
    const auto found = images.find(view.image);
    if (found == images.end()) continue;
    const Eigen::Quaterniond view_from_model = quaternion_of(found->second->camera_from_world);
    stands.push_back({&view.image, Eigen::Vector3d(camera_centre(*found->second).data()),
                      quaternion_of(view.view_from_panorama).conjugate() * view_from_model});
  }
  return stands;
}

// The stand that the others are nearest to: the sum of their distances, or angles, is the least.
template <class Distance>
const Stand& middle_stand(const std::vector<Stand>& stands, const Distance& distance) {
  const auto sum = [&](const Stand& one) {
    double all = 0;
    for (const Stand& other : stands) all += distance(one, other);
    return all;
  };
  return *std::ranges::min_element(stands, {}, sum);
}

double distance_of(const Stand& a, const Stand& b) { return (a.centre - b.centre).norm(); }
double angle_of(const Stand& a, const Stand& b) { return degrees_between(a.rotation, b.rotation); }

// Sets centre, rotation and spreads to the means of those that are near the middle, and `off` to the others.
void take_mean(SfmPanorama& panorama, const std::vector<Stand>& stands, double far) {
  const Stand &place = middle_stand(stands, distance_of), &turn = middle_stand(stands, angle_of);
  std::vector<const Stand*> near;
  for (const Stand& one : stands) {
    if (distance_of(one, place) > far || angle_of(one, turn) > far_angle) {
      panorama.off.push_back(*one.image);
    } else {
      near.push_back(&one);
    }
  }
  if (near.empty()) near.push_back(&place);  // the middles of places and of turns are two that disagree
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Vector4d sum = Eigen::Vector4d::Zero();
  for (const Stand* one : near) {
    centre += one->centre / static_cast<double>(near.size());
    const Eigen::Vector4d q = one->rotation.coeffs();
    sum += q.dot(turn.rotation.coeffs()) < 0 ? Eigen::Vector4d(-q) : q;
  }
  const Eigen::Quaterniond rotation(Eigen::Vector4d(sum.normalized()));
  double squares = 0, squared_angles = 0;
  for (const Stand* one : near) {
    squares += (one->centre - centre).squaredNorm();
    squared_angles += std::pow(degrees_between(one->rotation, rotation), 2);
  }
  panorama.centre = {centre.x(), centre.y(), centre.z()};
  panorama.rotation = {rotation.w(), rotation.x(), rotation.y(), rotation.z()};
  panorama.centre_spread = std::sqrt(squares / static_cast<double>(near.size()));
  panorama.rotation_spread = std::sqrt(squared_angles / static_cast<double>(near.size()));
}

// The views of the first model that has most of them. The centre is that of the middle one until the mean is known.
std::vector<Stand> choose_model(SfmPanorama& panorama, const std::vector<ImagesByName>& models) {
  std::vector<Stand> most;
  for (std::size_t i = 0; i < models.size(); ++i) {
    std::vector<Stand> stands = stands_of(panorama, models[i]);
    if (stands.size() <= most.size()) continue;
    most = std::move(stands);
    panorama.model = i;
  }
  panorama.registered = most.size();
  if (!most.empty()) Eigen::Vector3d::Map(panorama.centre.data()) = middle_stand(most, distance_of).centre;
  return most;
}

std::optional<double> nearest_of(const SfmPanorama& panorama, const std::vector<SfmPanorama>& all) {
  std::optional<double> nearest;
  for (const SfmPanorama& other : all) {
    if (&other == &panorama || !panorama.model || other.model != panorama.model) continue;
    const double distance = (Eigen::Vector3d(other.centre.data()) - Eigen::Vector3d(panorama.centre.data())).norm();
    nearest = std::min(distance, nearest.value_or(distance));
  }
  return nearest;
}

// The median of the distances to the nearest panoramas of the model, so that two panoramas of one place change nothing.
// Infinite where no two are in it.
double distance_between_neighbours(const std::vector<SfmPanorama>& all, std::size_t model) {
  std::vector<double> distances;
  for (const SfmPanorama& one : all) {
    if (one.model == model && one.nearest) distances.push_back(*one.nearest);
  }
  if (distances.empty()) return std::numeric_limits<double>::infinity();
  const auto middle = distances.begin() + std::ssize(distances) / 2;
  std::ranges::nth_element(distances, middle);
  return *middle;
}

void tell_doubts(SfmPanorama& panorama, const std::vector<Stand>& stands) {
  if (panorama.registered == 1) {
    panorama.doubts.push_back(fmt::format("the pose of the panorama '{}' is that of one view alone, '{}'",
                                          panorama.name, *stands.front().image));
  }
  if (panorama.off.empty()) return;
  panorama.doubts.push_back(fmt::format("{} of {} registered views of the panorama '{}' disagree with the others: '{}'",
                                        panorama.off.size(), panorama.registered, panorama.name,
                                        fmt::join(panorama.off, "', '")));
}

}  // namespace
}  // namespace sfm

std::vector<std::string> tell_panoramas(SfmResult& result) {
  std::vector<sfm::ImagesByName> models;
  for (const SfmModelResult& model : result.models) models.push_back(sfm::images_by_name(model.model));
  std::vector<std::vector<sfm::Stand>> stands;
  for (SfmPanorama& panorama : result.panoramas) stands.push_back(sfm::choose_model(panorama, models));
  for (SfmPanorama& panorama : result.panoramas) panorama.nearest = sfm::nearest_of(panorama, result.panoramas);
  std::vector<std::string> doubts;
  for (std::size_t i = 0; i < stands.size(); ++i) {
    SfmPanorama& panorama = result.panoramas[i];
    if (!panorama.model) continue;
    const double usual = sfm::distance_between_neighbours(result.panoramas, *panorama.model);
    sfm::take_mean(panorama, stands[i], sfm::far_share * usual);
    sfm::tell_doubts(panorama, stands[i]);
    doubts.insert(doubts.end(), panorama.doubts.begin(), panorama.doubts.end());
  }
  return doubts;
}

}  // namespace octavo
