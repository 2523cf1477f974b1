#include "multiview/exports/ply.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace octavo::exports {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied into the file");

using Place = std::array<double, 3>;

constexpr std::array<std::uint8_t, 3> camera_colour{240, 128, 60};
constexpr std::array<std::array<std::int32_t, 3>, 6> triangles{
    {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}, {1, 2, 3}, {1, 3, 4}}};

template <class Value>
void put(std::string& bytes, const Value& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put_vertex(std::string& bytes, const Place& place, const std::array<std::uint8_t, 3>& colour) {
  for (const double number : place) put(bytes, static_cast<float>(number));
  put(bytes, colour);
}

std::string header(std::size_t vertices, std::size_t faces) {
  std::string text = fmt::format(
      "ply\nformat binary_little_endian 1.0\ncomment Octavo\nelement vertex {}\nproperty float x\nproperty float y\n"
      "property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n",
      vertices);
  if (faces > 0) text += fmt::format("element face {}\nproperty list uchar int vertex_indices\n", faces);
  return text + "end_header\n";
}

double depth_of_cameras(const SfmModel& model) {
  std::vector<double> distances;
  for (const auto& [id, image] : model.images) {
    const Place centre = camera_centre(image);
    for (const SfmObservation& seen : image.observations) {
      if (seen.point == SfmObservation::no_point) continue;
      const Place& place = model.points.at(seen.point).place;
      distances.push_back(std::hypot(place[0] - centre[0], place[1] - centre[1], place[2] - centre[2]));
    }
  }
  if (distances.empty()) return 1;
  const auto middle = distances.begin() + std::ssize(distances) / 2;
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle / 20;
}

// The corners of the image, in order around it, at this depth. Distortion is left out.
std::array<Place, 4> corners_of(const SfmImage& image, const SfmCamera& camera, double depth) {
  const Place centre = camera_centre(image);
  const auto axes = camera_axes(image);
  const Intrinsics lens = intrinsics_of(camera);
  const auto width = static_cast<double>(camera.width), height = static_cast<double>(camera.height);
  std::array<Place, 4> corners{};
  const std::array<std::array<double, 2>, 4> pixels{{{0, 0}, {width, 0}, {width, height}, {0, height}}};
  for (std::size_t i = 0; i < 4; ++i) {
    const double right = (pixels.at(i)[0] - lens.cx) / lens.fx, down = (pixels.at(i)[1] - lens.cy) / lens.fy;
    for (std::size_t k = 0; k < 3; ++k) {
      corners.at(i).at(k) = centre.at(k) + depth * (axes[2].at(k) + right * axes[0].at(k) + down * axes[1].at(k));
    }
  }
  return corners;
}

}  // namespace

std::string ply_of_points(const SfmModel& model) {
  std::string bytes = header(model.points.size(), 0);
  for (const auto& [id, point] : model.points) put_vertex(bytes, point.place, point.colour);
  return bytes;
}

std::string ply_of_cameras(const SfmModel& model) {
  std::string bytes = header(5 * model.images.size(), triangles.size() * model.images.size());
  const double depth = depth_of_cameras(model);
  for (const auto& [id, image] : model.images) {
    put_vertex(bytes, camera_centre(image), camera_colour);
    for (const Place& corner : corners_of(image, model.cameras.at(image.camera), depth)) {
      put_vertex(bytes, corner, camera_colour);
    }
  }
  for (std::size_t i = 0; i < model.images.size(); ++i) {
    for (const auto& triangle : triangles) {
      put(bytes, std::uint8_t{3});
      for (const std::int32_t vertex : triangle) put(bytes, static_cast<std::int32_t>(5 * i) + vertex);
    }
  }
  return bytes;
}

}  // namespace octavo::exports
