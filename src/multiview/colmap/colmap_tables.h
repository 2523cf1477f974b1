#pragma once

namespace octavo::colmap {

/// The tables of COLMAP 3.8, and Octavo's own. COLMAP 3.11 to 4.2 bring these up to date when they open the file.
inline constexpr const char* tables = R"(
CREATE TABLE cameras (
  camera_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  model INTEGER NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  params BLOB,
  prior_focal_length INTEGER NOT NULL);
CREATE TABLE images (
  image_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  name TEXT NOT NULL UNIQUE,
  camera_id INTEGER NOT NULL,
  prior_qw REAL,
  prior_qx REAL,
  prior_qy REAL,
  prior_qz REAL,
  prior_tx REAL,
  prior_ty REAL,
  prior_tz REAL,
  CONSTRAINT image_id_check CHECK(image_id >= 0 and image_id < 2147483647),
  FOREIGN KEY(camera_id) REFERENCES cameras(camera_id));
CREATE UNIQUE INDEX index_name ON images(name);
CREATE TABLE keypoints (
  image_id INTEGER PRIMARY KEY NOT NULL,
  rows INTEGER NOT NULL,
  cols INTEGER NOT NULL,
  data BLOB,
  FOREIGN KEY(image_id) REFERENCES images(image_id) ON DELETE CASCADE);
CREATE TABLE descriptors (
  image_id INTEGER PRIMARY KEY NOT NULL,
  rows INTEGER NOT NULL,
  cols INTEGER NOT NULL,
  data BLOB,
  FOREIGN KEY(image_id) REFERENCES images(image_id) ON DELETE CASCADE);
CREATE TABLE matches (
  pair_id INTEGER PRIMARY KEY NOT NULL,
  rows INTEGER NOT NULL,
  cols INTEGER NOT NULL,
  data BLOB);
CREATE TABLE two_view_geometries (
  pair_id INTEGER PRIMARY KEY NOT NULL,
  rows INTEGER NOT NULL,
  cols INTEGER NOT NULL,
  data BLOB,
  config INTEGER NOT NULL,
  F BLOB,
  E BLOB,
  H BLOB,
  qvec BLOB,
  tvec BLOB);
PRAGMA user_version = 3800;
)";

/// The settings of the job, the keys of cameras, and, while it works, the file that the job began with.
inline constexpr const char* own_table =
    "CREATE TABLE IF NOT EXISTS octavo (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;";

}  // namespace octavo::colmap
