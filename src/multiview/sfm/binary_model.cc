// Binary files of models: numbers in little-endian order, lists after their lengths. A damaged length may be enormous,
// so each list is checked against the bytes that are left before memory is taken for it.

#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>

#include "multiview/sfm/camera_models.h"
#include "multiview/sfm/model_files.h"

namespace octavo::sfm {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "numbers are copied from the file");

class Bytes {
 public:
  explicit Bytes(const fs::path& file) : file_(file) {
    std::ifstream in(file, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
    if (!in) refuse_file(file, "cannot be read");
  }

  template <class Number>
  Number number() {
    need(sizeof(Number));
    Number value;
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  /// The length of a list whose entries take at least so many bytes.
  std::uint64_t length(std::size_t entry) {
    const auto count = number<std::uint64_t>();
    if (count > (bytes_.size() - at_) / entry) refuse_file(file_, "is damaged: a list is longer than the file");
    return count;
  }

  std::string text() {
    const std::size_t end = bytes_.find('\0', at_);
    if (end == std::string::npos) refuse_file(file_, "is cut off within a name");
    std::string found = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return found;
  }

  void skip(std::size_t bytes) {
    need(bytes);
    at_ += bytes;
  }

  void require_end() const {
    if (at_ != bytes_.size()) refuse_file(file_, "is damaged: there are bytes behind its last entry");
  }

 private:
  void need(std::size_t bytes) const {
    if (bytes > bytes_.size() - at_) refuse_file(file_, "is cut off");
  }

  fs::path file_;
  std::string bytes_;
  std::size_t at_ = 0;
};

void read_cameras(const fs::path& file, SfmModel& model) {
  Bytes bytes(file);
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
  Bytes bytes(file);
  for (std::uint64_t left = bytes.length(73); left > 0; --left) {
    const auto id = bytes.number<std::uint32_t>();
    SfmImage& image = model.images[id];
    for (double& number : image.camera_from_world) number = bytes.number<double>();
    for (double& number : image.translation) number = bytes.number<double>();
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
  Bytes bytes(file);
  for (std::uint64_t left = bytes.length(51); left > 0; --left) {
    SfmPoint& point = model.points[bytes.number<std::uint64_t>()];
    for (double& number : point.place) number = bytes.number<double>();
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
