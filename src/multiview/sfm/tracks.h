#pragma once

// Tracks: the keypoints of several images that verified matches connect.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/sqlite/sqlite.h"
#include "octavo/image_view.h"
#include "octavo/keypoint.h"

namespace octavo::sfm {

/// The places of the keypoints of an image of a database.
struct ImageKeypoints {
  std::int64_t number = 0;  ///< image_id
  std::string name;
  ImageSize size{};                 ///< that of its camera
  std::vector<Keypoint> keypoints;  ///< places and frames; without a frame of those of two columns
};

/// Those of all images, by their numbers. `file` is what errors call the database. Throws Error(file_error) for
/// keypoints of other than 2, 4 or 6 columns.
std::vector<ImageKeypoints> read_keypoints(sqlite::Database& database, const std::filesystem::path& file);

/// Writes the places of an image's keypoints, and leaves the rest of them as it is.
void write_places(sqlite::Database& database, const ImageKeypoints& image);

struct TrackKeypoint {
  std::size_t image = 0, keypoint = 0;  ///< indices
};
using Track = std::vector<TrackKeypoint>;

/// The tracks of two keypoints or more that have a frame, each by images and keypoints; ordered by their first
/// keypoints. Wrong matches may put two keypoints of one image into a track. Throws Error(file_error) for matches of
/// keypoints that are not there.
std::vector<Track> read_tracks(sqlite::Database& database, const std::vector<ImageKeypoints>& images,
                               const std::filesystem::path& file);

}  // namespace octavo::sfm
