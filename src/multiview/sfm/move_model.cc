// A similarity moves a model. It is x' = s R x + t for its points; a camera whose pose is (Q, u) has (Q Rᵀ, s u − Q Rᵀ
// t) then, so that each pixel shows what it showed. The numbers are replaced in the files, and all else stays.

#include <array>
#include <utility>
#include <vector>

#include "io/files/output_file.h"
#include "multiview/sfm/model_bytes.h"
#include "multiview/sfm/similarity.h"

namespace octavo::sfm {
namespace {

namespace fs = std::filesystem;
using Pose = std::array<double, 7>;  // a quaternion w, x, y, z and a translation, as files have it

SfmImage turning(const std::array<double, 4>& quaternion) {
  return {.name = {}, .camera_from_world = quaternion, .observations = {}};
}

std::array<double, 4> product(const std::array<double, 4>& a, const std::array<double, 4>& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

Pose moved_pose(const Pose& pose, const Similarity3& similarity) {
  const auto& [w, x, y, z] = similarity.rotation;
  const std::array<double, 4> turn = product({pose[0], pose[1], pose[2], pose[3]}, {w, -x, -y, -z});
  const Place3 back = in_camera(turning(turn), similarity.translation);
  Pose moved{turn[0], turn[1], turn[2], turn[3]};
  for (std::size_t i = 0; i < 3; ++i) moved.at(4 + i) = similarity.scale * pose.at(4 + i) - back.at(i);
  return moved;
}

void move_images(ModelBytes& bytes, const Similarity3& similarity) {
  for (std::uint64_t left = bytes.length(73); left > 0; --left) {
    bytes.skip(4);
    bytes.replace(moved_pose(bytes.numbers<7>(), similarity));
    bytes.skip(4);
    bytes.text();
    bytes.skip(24 * bytes.length(24));
  }
}

void move_points(ModelBytes& bytes, const Similarity3& similarity) {
  for (std::uint64_t left = bytes.length(51); left > 0; --left) {
    bytes.skip(8);
    bytes.replace(moved(similarity, bytes.numbers<3>()));
    bytes.skip(3 + 8);
    bytes.skip(8 * bytes.length(8));
  }
}

// A frame is what the cameras of a rig take at a time.
void move_frames(ModelBytes& bytes, const Similarity3& similarity) {
  for (std::uint64_t left = bytes.length(68); left > 0; --left) {
    bytes.skip(8);
    bytes.replace(moved_pose(bytes.numbers<7>(), similarity));
    bytes.skip(16 * bytes.short_length(16));
  }
}

// The first sensor of a rig is its origin; the others may have poses in it.
void scale_rigs(ModelBytes& bytes, const Similarity3& similarity) {
  for (std::uint64_t left = bytes.length(8); left > 0; --left) {
    bytes.skip(4);
    const std::uint64_t sensors = bytes.short_length(8);
    if (sensors > 0) bytes.skip(8);
    for (std::uint64_t sensor = 1; sensor < sensors; ++sensor) {
      bytes.skip(8);
      if (bytes.number<std::uint8_t>() == 0) continue;
      bytes.skip(4 * sizeof(double));
      Place3 place = bytes.numbers<3>();
      for (double& number : place) number *= similarity.scale;
      bytes.replace(place);
    }
  }
}

}  // namespace

Place3 moved(const Similarity3& similarity, const Place3& place) {
  Place3 result = in_camera(turning(similarity.rotation), place);
  for (std::size_t i = 0; i < 3; ++i) result.at(i) = similarity.scale * result.at(i) + similarity.translation.at(i);
  return result;
}

void move_model(const fs::path& folder, const Similarity3& similarity) {
  using Mover = void (*)(ModelBytes&, const Similarity3&);
  const std::array<std::pair<const char*, Mover>, 4> movers{{{"images.bin", move_images},
                                                             {"points3D.bin", move_points},
                                                             {"frames.bin", move_frames},
                                                             {"rigs.bin", scale_rigs}}};
  std::vector<ModelBytes> files;
  for (const auto& [name, move] : movers) {
    const bool is_optional = move == move_frames || move == scale_rigs;
    if (is_optional && !fs::exists(folder / name)) continue;
    ModelBytes& file = files.emplace_back(folder / name);
    move(file, similarity);
    file.require_end();
  }
  for (const ModelBytes& file : files) write_file(file.file(), file.all());
}

}  // namespace octavo::sfm
