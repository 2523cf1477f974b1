#include "multiview/colmap/stored_features.h"

#include <fmt/core.h>

#include <array>
#include <cstring>
#include <span>

#include "engine/core/ellipse.h"
#include "octavo/error.h"

namespace octavo::colmap {

std::optional<std::int64_t> image_of(sqlite::Database& database, std::string_view name) {
  auto row = database.query(
      "SELECT image_id FROM images JOIN keypoints USING (image_id) JOIN descriptors USING (image_id) WHERE name = ?1",
      name);
  if (!row.step()) return std::nullopt;
  return row.integer(0);
}

Features features_of(sqlite::Database& database, std::int64_t image, const std::filesystem::path& file) {
  auto row = database.query(
      "SELECT k.rows, k.cols, k.data, d.rows, d.cols, d.data FROM keypoints k JOIN descriptors d USING (image_id) "
      "WHERE image_id = ?1",
      image);
  if (!row.step()) {
    throw Error(ErrorCode::invalid_argument, fmt::format("image {} of the database has no features", image));
  }
  const auto count = static_cast<std::size_t>(row.integer(0)), columns = static_cast<std::size_t>(row.integer(1));
  const std::span<const std::byte> keypoints = row.blob(2), descriptors = row.blob(5);
  const bool fits = (columns == 2 || columns == 4 || columns == 6) && row.integer(3) == row.integer(0) &&
                    row.integer(4) == std::int64_t{descriptor_length} &&
                    keypoints.size() == count * columns * sizeof(float) &&
                    descriptors.size() == count * descriptor_length;
  if (!fits) {
    throw Error(ErrorCode::file_error,
                fmt::format("cannot use the database '{}': the features of image {} are not keypoints of 2, 4 or 6 "
                            "columns with descriptors of 128 bytes",
                            file.string(), image));
  }
  Features features;
  features.keypoints.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<float, 6> numbers{};
    std::memcpy(numbers.data(), keypoints.data() + i * columns * sizeof(float), columns * sizeof(float));
    Keypoint& k = features.keypoints[i];
    k.x = numbers[0] - half_pixel;
    k.y = numbers[1] - half_pixel;
    if (columns == 4) k.scale = numbers[2], k.orientation = numbers[3];
    if (columns == 6) set_ellipse(k, {numbers[2], numbers[3], numbers[4], numbers[5]});
  }
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(descriptors.data());
  features.descriptors.assign(bytes, bytes + descriptors.size());
  return features;
}

std::uint64_t feature_bytes_of(sqlite::Database& database, std::int64_t image) {
  auto row = database.query("SELECT rows FROM keypoints WHERE image_id = ?1", image);
  const auto count = row.step() ? static_cast<std::uint64_t>(row.integer(0)) : 0;
  return count * (sizeof(Keypoint) + descriptor_length);
}

}  // namespace octavo::colmap
