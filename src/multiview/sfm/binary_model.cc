// Binary files of models.

#include "multiview/sfm/camera_models.h"
#include "multiview/sfm/model_bytes.h"
#include "multiview/sfm/model_files.h"

namespace octavo::sfm {
namespace {

namespace fs = std::filesystem;

void read_cameras(const fs::path& file, SfmModel& model) {
  ModelBytes bytes(file);
  for (std::uint64_t left = bytes.length(24); left > 0; --left) {
    const auto id = bytes.number<std::uint32_t>();
    const auto kind = bytes.number<std::uint32_t>();
    if (kind >= camera_models.size()) refuse_file(file, "has the unknown camera model " + std::to_string(kind));
    SfmCamera camera{.model = std::string(camera_models.at(kind).name), .parameters = {}};
    camera.width = bytes.number<std::uint64_t>();
    camera.height = bytes.number<std::uint64_t>();
    for (std::size_t i = 0; i < camera_models.at(kind).parameters(); ++i) {
      camera.parameters.push_back(bytes.number<double>());
    }
    model.cameras[id] = std::move(camera);
  }
  bytes.require_end();
}

void read_images(const fs::path& file, SfmModel& model) {
  ModelBytes bytes(file);
  for (std::uint64_t left = bytes.length(73); left > 0; --left) {
    const auto id = bytes.number<std::uint32_t>();
    SfmImage& image = model.images[id];
    image.camera_from_world = bytes.numbers<4>();
    image.translation = bytes.numbers<3>();
    image.camera = bytes.number<std::uint32_t>();
    image.name = bytes.text();
    image.observations.resize(bytes.length(24));
    for (SfmObservation& observation : image.observations) {
      observation.x = bytes.number<double>();
      observation.y = bytes.number<double>();
      observation.point = bytes.number<std::uint64_t>();
    }
  }
  bytes.require_end();
}

void read_points(const fs::path& file, SfmModel& model) {
  ModelBytes bytes(file);
  for (std::uint64_t left = bytes.length(51); left > 0; --left) {
    SfmPoint& point = model.points[bytes.number<std::uint64_t>()];
    point.place = bytes.numbers<3>();
    for (std::uint8_t& channel : point.colour) channel = bytes.number<std::uint8_t>();
    point.error = bytes.number<double>();
    point.track = bytes.length(8);
    bytes.skip(8 * point.track);
  }
  bytes.require_end();
}

}  // namespace

SfmModel read_binary_model(const fs::path& folder) {
  SfmModel model;
  read_cameras(folder / "cameras.bin", model);
  read_images(folder / "images.bin", model);
  read_points(folder / "points3D.bin", model);
  return model;
}

}  // namespace octavo::sfm
