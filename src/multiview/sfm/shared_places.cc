#include "multiview/sfm/shared_places.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace octavo::sfm {
namespace {

using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vector minus(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

// The point of the model at a place of the camera.
Vector in_model(const SfmImage& image, const Vector& camera_place) {
  SfmImage inverse = image;
  for (int i = 1; i < 4; ++i) inverse.camera_from_world[static_cast<std::size_t>(i)] *= -1;
  inverse.translation = {};
  return in_camera(inverse, minus(camera_place, image.translation));
}

// An image of the model with what it sees.
struct View {
  const SfmImage* image;
  const SfmCamera* camera;
  double focal_length;
  Vector centre;
  std::vector<std::uint64_t> points{};  // ascending

  View(const SfmImage& of, const SfmModel& model)
      : image(&of),
        camera(&model.cameras.at(of.camera)),
        focal_length(intrinsics_of(*camera).fx),
        centre(in_model(of, {0, 0, 0})) {
    for (const SfmObservation& seen : of.observations) {
      if (seen.point != SfmObservation::no_point) points.push_back(seen.point);
    }
    std::ranges::sort(points);
  }

  [[nodiscard]] bool shows(const Vector& place) const {
    const auto pixel = project(*camera, in_camera(*image, place));
    return pixel && (*pixel)[0] >= 0 && (*pixel)[1] >= 0 && (*pixel)[0] < static_cast<double>(camera->width) &&
           (*pixel)[1] < static_cast<double>(camera->height);
  }
  // How large the camera shows things there.
  [[nodiscard]] double scale_at(const Vector& place) const { return focal_length / in_camera(*image, place)[2]; }
};

// A point that an image shows: where in it, and where in the model.
struct Shown {
  std::pair<int, int> part;  // of the image, whose longer side has 16
  std::uint64_t point;
  Vector place;
};

std::vector<Shown> shown_by(const View& view, const SfmModel& model) {
  const double side = static_cast<double>(std::max(view.camera->width, view.camera->height)) / 16;
  std::vector<Shown> shown;
  for (const SfmObservation& seen : view.image->observations) {
    if (seen.point == SfmObservation::no_point) continue;
    shown.push_back({{static_cast<int>(seen.x / side), static_cast<int>(seen.y / side)},
                     seen.point,
                     model.points.at(seen.point).place});
  }
  return shown;
}

// Whether both see a point from about one side and distance, so that its descriptors are alike.
bool see_alike(const View& a, const View& b, const Vector& place) {
  constexpr double most_ratio = 1.5;
  const double least_cosine = std::cos(20 * std::numbers::pi / 180);
  if (!b.shows(place)) return false;
  const double ratio = a.scale_at(place) / b.scale_at(place);
  if (ratio > most_ratio || ratio < 1 / most_ratio) return false;
  const Vector to_a = minus(a.centre, place), to_b = minus(b.centre, place);
  return dot(to_a, to_b) >= least_cosine * std::sqrt(dot(to_a, to_a) * dot(to_b, to_b));
}

constexpr int fewest_of_part = 4;

// Of the parts of `a` with four points that `b` should see, the share with one that it sees; none if these are few.
std::optional<double> share_of(const View& a, std::span<const Shown> shown_by_a, const View& b) {
  constexpr int fewest_points = 60, fewest_parts = 6;
  struct Count {
    int points = 0, shared = 0;
  };
  std::map<std::pair<int, int>, Count> parts;
  int points = 0;
  for (const Shown& one : shown_by_a) {
    if (!see_alike(a, b, one.place)) continue;
    Count& count = parts[one.part];
    ++count.points;
    ++points;
    count.shared += std::ranges::binary_search(b.points, one.point) ? 1 : 0;
  }
  std::erase_if(parts, [](const auto& part) { return part.second.points < fewest_of_part; });
  if (points < fewest_points || parts.size() < fewest_parts) return {};
  const auto shared = std::ranges::count_if(parts, [](const auto& part) { return part.second.shared > 0; });
  return static_cast<double>(shared) / static_cast<double>(parts.size());
}

// The views whose cameras stand nearest to that of view `i`.
std::vector<std::size_t> nearest(const std::vector<View>& views, std::size_t i, std::size_t most) {
  std::vector<std::pair<double, std::size_t>> others;
  for (std::size_t j = 0; j < views.size(); ++j) {
    const Vector apart = minus(views[j].centre, views[i].centre);
    if (j != i) others.emplace_back(dot(apart, apart), j);
  }
  most = std::min(most, others.size());
  std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(most), others.end());
  std::vector<std::size_t> kept;
  for (std::size_t k = 0; k < most; ++k) kept.push_back(others[k].second);
  return kept;
}

}  // namespace

SharedPlaces shared_places(const SfmModel& model) {
  constexpr std::size_t most_images = 200, most_neighbours = 20;  // they bound the time
  std::vector<View> views;
  for (const auto& [id, image] : model.images) {
    const SfmCamera& camera = model.cameras.at(image.camera);
    if (camera_parameters(camera.model) == camera.parameters.size()) views.emplace_back(image, model);
  }
  std::vector<std::tuple<double, std::size_t, std::size_t>> shares;
  const std::size_t step = views.size() / most_images + 1;
  for (std::size_t i = 0; i < views.size(); i += step) {
    const std::vector<Shown> shown = shown_by(views[i], model);
    for (const std::size_t j : nearest(views, i, most_neighbours)) {
      if (const auto share = share_of(views[i], shown, views[j])) shares.emplace_back(*share, i, j);
    }
  }
  if (shares.empty()) return {};
  std::ranges::sort(shares);
  const auto [least, a, b] = shares.front();
  return {shares.size(), std::get<0>(shares[shares.size() / 4]), views[a].image->name, views[b].image->name};
}

}  // namespace octavo::sfm
