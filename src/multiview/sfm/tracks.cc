#include "multiview/sfm/tracks.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>

#include "engine/core/ellipse.h"
#include "multiview/refine/patch.h"
#include "multiview/sfm/match_graph.h"
#include "octavo/error.h"

namespace octavo::sfm {
namespace {

constexpr float half_pixel = 0.5f;  // from the centre of the first pixel to COLMAP's origin, its corner

Keypoint keypoint_of(std::span<const std::byte> row) {
  std::array<float, 6> numbers{};
  std::memcpy(numbers.data(), row.data(), row.size());
  Keypoint keypoint{.x = numbers[0] - half_pixel, .y = numbers[1] - half_pixel};
  if (row.size() == 4 * sizeof(float)) keypoint.scale = numbers[2], keypoint.orientation = numbers[3];
  if (row.size() == 6 * sizeof(float)) set_ellipse(keypoint, {numbers[2], numbers[3], numbers[4], numbers[5]});
  return keypoint;
}

// Sets that are joined (Galler and Fischer, 1964). The least member stands for its set.
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }

  std::size_t of(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t i, std::size_t j) {
    const auto [low, high] = std::minmax({of(i), of(j)});
    parent_[high] = low;
  }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace

std::vector<ImageKeypoints> read_keypoints(sqlite::Database& database, const std::filesystem::path& file) {
  std::vector<ImageKeypoints> images;
  auto rows = database.query(
      "SELECT image_id, name, width, height, k.rows, cols, data FROM images "
      "JOIN cameras USING (camera_id) LEFT JOIN keypoints k USING (image_id) ORDER BY image_id");
  while (rows.step()) {
    ImageKeypoints& image = images.emplace_back();
    image.number = rows.integer(0);
    image.name = rows.text(1);
    image.size = {static_cast<int>(rows.integer(2)), static_cast<int>(rows.integer(3))};
    if (rows.is_null(4) || rows.integer(4) == 0) continue;
    const auto count = static_cast<std::size_t>(rows.integer(4)), columns = static_cast<std::size_t>(rows.integer(5));
    const std::span<const std::byte> data = rows.blob(6);
    const std::size_t bytes = columns * sizeof(float);
    // Not as a product: the number of rows may be any.
    if ((columns != 2 && columns != 4 && columns != 6) || data.size() % bytes != 0 || data.size() / bytes != count) {
      throw Error(ErrorCode::file_error,
                  fmt::format("cannot use the database '{}': the keypoints of '{}' are not of 2, 4 or 6 columns",
                              file.string(), image.name));
    }
    for (std::size_t i = 0; i < count; ++i) image.keypoints.push_back(keypoint_of(data.subspan(i * bytes, bytes)));
  }
  return images;
}

void write_places(sqlite::Database& database, const ImageKeypoints& image) {
  std::vector<std::byte> data;
  std::size_t bytes = 0;
  {
    auto row = database.query("SELECT cols, data FROM keypoints WHERE image_id = ?1", image.number);
    if (!row.step()) return;
    bytes = static_cast<std::size_t>(row.integer(0)) * sizeof(float);
    data.assign(row.blob(1).begin(), row.blob(1).end());
  }
  for (std::size_t i = 0; i < image.keypoints.size(); ++i) {
    const std::array<float, 2> place{image.keypoints[i].x + half_pixel, image.keypoints[i].y + half_pixel};
    std::memcpy(data.data() + i * bytes, place.data(), sizeof(place));
  }
  database.run("UPDATE keypoints SET data = ?2 WHERE image_id = ?1", image.number, std::span<const std::byte>(data));
}

std::vector<Track> read_tracks(sqlite::Database& database, const std::vector<ImageKeypoints>& images,
                               const std::filesystem::path& file) {
  std::unordered_map<std::int64_t, std::size_t> index_of;
  std::vector<std::size_t> first{0};  // of each image, among all keypoints
  for (const ImageKeypoints& image : images) {
    index_of[image.number] = first.size() - 1;
    first.push_back(first.back() + image.keypoints.size());
  }
  Sets sets(first.back());
  auto rows = database.query("SELECT pair_id, data FROM two_view_geometries WHERE rows > 0 ORDER BY pair_id");
  while (rows.step()) {
    const auto a = index_of.find(rows.integer(0) / most_ids), b = index_of.find(rows.integer(0) % most_ids);
    const std::span<const std::byte> data = rows.blob(1);
    for (std::size_t at = 0; at + 2 * sizeof(std::uint32_t) <= data.size(); at += 2 * sizeof(std::uint32_t)) {
      std::array<std::uint32_t, 2> match{};
      std::memcpy(match.data(), data.data() + at, sizeof(match));
      const bool is_there = a != index_of.end() && b != index_of.end() &&
                            match[0] < images[a->second].keypoints.size() &&
                            match[1] < images[b->second].keypoints.size();
      if (!is_there) {
        throw Error(
            ErrorCode::file_error,
            fmt::format("cannot use the database '{}': it has matches of keypoints that it does not have (pair {})",
                        file.string(), rows.integer(0)));
      }
      sets.join(first[a->second] + match[0], first[b->second] + match[1]);
    }
  }
  std::vector<Track> tracks;
  std::unordered_map<std::size_t, std::size_t> track_of;
  for (std::size_t image = 0; image < images.size(); ++image) {
    for (std::size_t k = 0; k < images[image].keypoints.size(); ++k) {
      if (!refine::has_frame(images[image].keypoints[k])) continue;
      const auto [known, is_new] = track_of.emplace(sets.of(first[image] + k), tracks.size());
      if (is_new) tracks.emplace_back();
      tracks[known->second].push_back({image, k});
    }
  }
  std::erase_if(tracks, [](const Track& track) { return track.size() < 2; });
  return tracks;
}

}  // namespace octavo::sfm
