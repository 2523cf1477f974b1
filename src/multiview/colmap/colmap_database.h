#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/io/camera_facts.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"
#include "octavo/multiview/colmap_job.h"
#include "octavo/multiview/geometry.h"

// Databases of COLMAP: cameras, images, features, matches and two-view geometries in a file of SQLite.

namespace octavo {

/// An image as it goes into the database.
struct ColmapImage {
  std::string name{};        ///< its path below COLMAP's --image_path
  ColmapCamera camera{};     ///< if none is known by `camera_key`
  std::string camera_key{};  ///< images of the same key share a camera; empty: a camera of its own
  /// Goes into prior_tx, prior_ty, prior_tz, as COLMAP 3.8 has it, and, if the altitude is known, into the table
  /// pose_priors of later versions.
  std::optional<GpsPlace> place{};
};

/// A database of COLMAP that is being made, or added to. The work is done in `.NAME.part`, and `finish` gives it its
/// name, or replaces the content of the database of this name in a transaction of SQLite: it appears, or changes, as a
/// whole, and other programs may have it open. Each image and each pair is kept as soon as it is added, also
/// if the process is killed; the next object of the same database and settings finds them. The same content gives the
/// same bytes, in however many runs it came, but for SQLite's counts of changes in a database that was added to. New
/// files have the tables of COLMAP 3.8, which later versions read too, and a table `octavo` with the settings and the
/// keys of cameras. A database that exists keeps its tables, those of a later version of COLMAP as well. One thread
/// uses an object at a time. All functions throw Error(file_error), which names the file; also if another process works
/// on the same database.
class ColmapDatabase {
 public:
  /// `settings` is a text of everything but the images that determines the content. A `.NAME.part` of other settings,
  /// or of a database that has changed since, is begun anew. Throws Error(file_error) if the database was made by
  /// Octavo with other settings, if its tables are of a version of COLMAP after 4.2, or if another process keeps it
  /// locked for a minute.
  ColmapDatabase(const std::filesystem::path& file, const std::string& settings);
  ~ColmapDatabase();
  ColmapDatabase(ColmapDatabase&&) noexcept;
  ColmapDatabase& operator=(ColmapDatabase&&) noexcept;

  /// The image_id of the image of this name that has keypoints and descriptors. Throws Error(file_error) for an
  /// image without them that is in pairs.
  [[nodiscard]] std::optional<std::int64_t> image_of(std::string_view name);

  /// Adds an image and its features, and returns its image_id. The half pixel between the origins is added. Ellipses
  /// give keypoints of six columns, circles of four, points without scales of two. An image that is in the database
  /// without features gets them, and keypoints without descriptors are replaced. Throws Error(file_error) for an image
  /// that is in pairs, since their matches number the keypoints that it had. Throws Error(invalid_argument) for
  /// features without descriptors, with more than SQLite's 10^9 bytes in an array, and for an image whose size is not
  /// that of its shared camera.
  std::int64_t add(const ColmapImage& image, const Features& features);

  /// The features of an image. The half pixel is taken off again; response, octave and layer are 0. Throws
  /// Error(file_error) if they are no keypoints of 2, 4 or 6 columns with descriptors of 128 bytes.
  [[nodiscard]] Features features(std::int64_t image);
  /// The bytes that they take in memory.
  [[nodiscard]] std::uint64_t feature_bytes(std::int64_t image);

  /// Whether matches of these images were added, even if there were none.
  [[nodiscard]] bool has_matches(std::int64_t a, std::int64_t b);
  /// Whether verified matches of these images were added.
  [[nodiscard]] bool has_geometry(std::int64_t a, std::int64_t b);

  /// Adds the matches of a pair of two images. `fundamental`, if given, is the fundamental matrix that was estimated
  /// from `verified`: its inliers become the pair's geometry, of config 3 (uncalibrated), or of config 1 (degenerate)
  /// if none was found. What the pair had is replaced. Throws Error(invalid_argument) for a pair of one image and for
  /// `inliers` of another length than `verified`.
  void add_matches(std::int64_t a, std::int64_t b, std::span<const Match> matches,
                   const RobustModel* fundamental = nullptr, std::span<const Match> verified = {});

  /// A text that the caller keeps in the table `octavo`, by its name; empty if there is none, so an empty one removes
  /// it.
  void note(std::string_view name, std::string_view value);
  /// The text of this name, or an empty one.
  [[nodiscard]] std::string note(std::string_view name);
  /// The names of all notes that begin with `prefix`.
  [[nodiscard]] std::vector<std::string> note_names(std::string_view prefix);

  /// Writes the database under its name, if something was added. Nothing can be done with the object afterwards. Throws
  /// Error(file_error), and leaves the database as it is, if another program has changed it since the work began, or
  /// keeps it locked for a minute.
  void finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The features of a finished database, which is only read. Several processes can do so at a time. All functions throw
/// Error(file_error), which names the file.
class ColmapFeatures {
 public:
  /// Opens a database to read.
  explicit ColmapFeatures(const std::filesystem::path& file);
  ~ColmapFeatures();
  ColmapFeatures(ColmapFeatures&&) noexcept;
  ColmapFeatures& operator=(ColmapFeatures&&) noexcept;

  /// The settings of ColmapDatabase; empty if another program made the database.
  [[nodiscard]] std::string settings();
  /// A digest of the settings, the names and numbers of the images and their keypoints, which are read.
  [[nodiscard]] std::string digest();

  /// See ColmapDatabase.
  [[nodiscard]] std::optional<std::int64_t> image_of(std::string_view name);
  [[nodiscard]] Features features(std::int64_t image);
  [[nodiscard]] std::uint64_t feature_bytes(std::int64_t image);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The names of images of a database with the same keypoints, as only copies of one photograph have them: two or more
/// in each group, by name. Images without keypoints are in none. All keypoints are read. Throws Error(file_error).
std::vector<std::vector<std::string>> copies_in(const std::filesystem::path& database);

}  // namespace octavo
