#include "multiview/colmap/working_database.h"

#include <fmt/core.h>

#include <chrono>
#include <limits>
#include <system_error>
#include <vector>

#include "io/files/content_digest.h"
#include "io/files/part_file.h"
#include "multiview/colmap/colmap_tables.h"
#include "multiview/colmap/file_replacement.h"
#include "multiview/colmap/job_settings.h"
#include "octavo/error.h"

namespace octavo::colmap {
namespace {

namespace fs = std::filesystem;
using io::beside;

constexpr std::int64_t camera_sensor = 0;  // COLMAP's number of the kind of sensor

// What the part keeps in the table `octavo` while it works: the stamp of the file that the job began with, and the
// digest of this file while its content is replaced.
constexpr std::string_view base_name = "base", replaced_name = "replaced";

}  // namespace

void refuse(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::invalid_argument, fmt::format("cannot put '{}' into the database: {}", name, why));
}

// COLMAP 3.8 is 3800, and 4.2.1 is 4020100.
void require_known_version(sqlite::Database& database, const fs::path& file, std::string_view verb) {
  constexpr std::int64_t last_short = 9999, first_long = 3'000'000, latest = 4'029'999;
  const std::int64_t version = database.number("PRAGMA user_version");
  if (version <= last_short || (version >= first_long && version <= latest)) return;
  throw Error(
      ErrorCode::file_error,
      fmt::format("cannot {} the database '{}': its tables are of version {} (`user_version`), which no COLMAP up "
                  "to 4.2 has",
                  verb, file.string(), version));
}

WorkingDatabase::WorkingDatabase(const fs::path& file, const std::string& settings, Existing existing)
    : file_(file),
      part_(beside(file, existing == Existing::extended ? "part" : "merge")),
      existing_(existing),
      base_(stamp_of(file)) {
  if (!fs::exists(part_) || !continues(settings)) begin(settings);
}

void WorkingDatabase::refuse_file(const std::string& why) const {
  throw Error(ErrorCode::file_error, fmt::format("cannot write the database '{}': {}", file_.string(), why));
}

void WorkingDatabase::open() {
  // A process that works on the same database does so for long: waiting is in vain.
  database_.emplace(part_, true, file_kind, std::chrono::seconds(1));
  database_->run_script("PRAGMA locking_mode = EXCLUSIVE");
  database_->use_write_ahead_log();
  database_->run_script("PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE; COMMIT");
  database_->call(file_kind, file_);
}

std::string WorkingDatabase::value_of(std::string_view name) {
  auto row = database_->query("SELECT value FROM octavo WHERE name = ?1", name);
  return row.step() ? row.text(0) : "";
}

void WorkingDatabase::set(std::string_view name, std::string_view value) {
  database_->run("INSERT OR REPLACE INTO octavo VALUES (?1, ?2)", name, value);
}

// Opens the unfinished file. False, and the file is removed, if it is of another job.
bool WorkingDatabase::continues(const std::string& settings) {
  open();
  const bool has_table = database_->number("SELECT count(*) FROM sqlite_schema WHERE name = 'octavo'") == 1;
  if (existing_ == Existing::extended && has_table && value_of("settings") == settings &&
      (value_of(base_name) == base_ || is_taken_back())) {
    changed_ = true;
    return true;
  }
  database_.reset();
  remove_database(part_);
  return false;
}

// Whether the file has the content of the beginning: a run that replaced it was killed, or the disk was full, and
// SQLite takes back what was written. Then its digest is the same again, and the stamp is not. SQLite must not have the
// file open in this process when the digest is made, as its locks would end.
bool WorkingDatabase::is_taken_back() {
  const std::string digest = value_of(replaced_name);
  if (digest.empty() || base_.empty()) return false;
  settle(file_);
  base_ = stamp_of(file_);
  const bool has_log = base_.find(',') != std::string::npos;
  if (has_log || content_digest(file_) != digest) return false;
  set(base_name, base_);
  return true;
}

// A copy need not have what is written while it is made. Another program that closes its connection writes what it has
// committed from the log to the file, so that the next copy is whole.
void WorkingDatabase::copy_to(const fs::path& copy) {
  constexpr int most_attempts = 20;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    remove_database(copy);
    settle(file_);
    base_ = stamp_of(file_);
    sqlite::Database(file_, false, file_kind).run("VACUUM INTO ?1", std::string_view(copy.native()));
    if (stamp_of(file_) == base_) return;
  }
  remove_database(copy);
  refuse_file("another program writes to it; call again when that has ended");
}

void WorkingDatabase::begin(const std::string& settings) {
  if (is_extended()) {
    const fs::path copy = beside(file_, "copy");
    copy_to(copy);
    std::error_code failure;
    fs::rename(copy, part_, failure);
    if (failure) refuse_file(failure.message());
  }
  open();
  try {
    prepare(settings);
  } catch (const Error&) {
    database_.reset();
    remove_database(part_);
    throw;
  }
  changed_ = !is_extended();  // a new database is written even if it is empty
}

void WorkingDatabase::prepare(const std::string& settings) {
  sqlite::Transaction transaction(*database_);
  if (!is_extended()) database_->run_script(tables);
  require_tables();
  require_known_version(*database_, file_, "add to");
  database_->run_script(own_table);
  if (const std::string before = value_of("settings"); !before.empty() && !are_equal_settings(before, settings)) {
    throw Error(ErrorCode::file_error,
                fmt::format("cannot add to the database '{}': it was made with other options of features, matches or "
                            "cameras, or as another part; use the same ones, or another database",
                            file_.string()));
  }
  set("settings", settings);
  if (is_extended()) set(base_name, base_);
  transaction.commit();
}

void WorkingDatabase::require_tables() {
  for (const char* const table : {"cameras", "images", "keypoints", "descriptors", "matches", "two_view_geometries"}) {
    if (!columns(table).empty()) continue;
    throw Error(ErrorCode::file_error,
                fmt::format("cannot add to the database '{}': it is not COLMAP's, since it has no table '{}'",
                            file_.string(), table));
  }
}

// The columns that a table has in this file.
std::set<std::string> WorkingDatabase::columns(std::string_view table) {
  std::set<std::string> names;
  auto row = database_->query("SELECT name FROM pragma_table_info(?1)", table);
  while (row.step()) names.insert(row.text(0));
  return names;
}

// Inserts a row, of which it leaves out the columns that the table does not have. Returns its number.
std::int64_t WorkingDatabase::insert(std::string_view table, Row row) {
  const std::set<std::string> known = columns(table);
  std::string names, marks;
  for (const auto& [name, value] : row) {
    if (!known.contains(std::string(name))) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
    marks += marks.empty() ? "?" : ", ?";
  }
  auto statement = database_->query(fmt::format("INSERT INTO {} ({}) VALUES ({})", table, names, marks));
  for (const auto& [name, value] : row) {
    if (known.contains(std::string(name))) std::visit([&](const auto& one) { statement.bind(one); }, value);
  }
  statement.step();
  return database_->last_id();
}

std::int64_t WorkingDatabase::add_image(const ColmapImage& image) {
  auto known = database_->query("SELECT image_id FROM images WHERE name = ?1", std::string_view(image.name));
  if (known.step()) return known.integer(0);
  const std::int64_t camera = camera_row(image);
  const std::int64_t id = insert("images", {{"name", std::string_view(image.name)}, {"camera_id", camera}});
  if (image.place) add_place(id, camera, *image.place);
  return id;
}

// COLMAP 3.8 has the place in the row of the image. Later versions have a table of its own, with the image in one
// column from 3.11 on, and in several from 4.0 on. As theirs, it has only places with an altitude.
void WorkingDatabase::add_place(std::int64_t image, std::int64_t camera, const GpsPlace& place) {
  if (columns("images").contains("prior_tx")) {
    database_->run("UPDATE images SET prior_tx = ?1, prior_ty = ?2, prior_tz = ?3 WHERE image_id = ?4", place.latitude,
                   place.longitude, place.altitude, image);
  }
  if (columns("pose_priors").empty() || !place.altitude) return;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  constexpr std::int64_t wgs84 = 0;
  const std::vector<double> position{place.latitude, place.longitude, *place.altitude}, covariance(9, unknown),
      gravity(3, unknown);
  insert("pose_priors", {{"image_id", image},
                         {"corr_data_id", image},
                         {"corr_sensor_id", camera},
                         {"corr_sensor_type", camera_sensor},
                         {"position", std::as_bytes(std::span(position))},
                         {"position_covariance", std::as_bytes(std::span(covariance))},
                         {"gravity", std::as_bytes(std::span(gravity))},
                         {"coordinate_system", wgs84}});
}

std::int64_t WorkingDatabase::camera_row(const ColmapImage& image) {
  const std::string name = "camera of " + image.camera_key;
  if (!image.camera_key.empty()) {
    if (const std::string number = value_of(name); !number.empty()) {
      const std::int64_t camera = std::stoll(number);
      require_same_size(image, camera);
      return camera;
    }
  }
  const std::int64_t camera =
      insert("cameras", {{"model", static_cast<std::int64_t>(image.camera.model)},
                         {"width", static_cast<std::int64_t>(image.camera.size.width)},
                         {"height", static_cast<std::int64_t>(image.camera.size.height)},
                         {"params", std::as_bytes(std::span(image.camera.params))},
                         {"prior_focal_length", std::int64_t{image.camera.prior_focal_length}}});
  if (!image.camera_key.empty()) set(name, std::to_string(camera));
  return camera;
}

void WorkingDatabase::require_same_size(const ColmapImage& image, std::int64_t camera) {
  auto row = database_->query("SELECT width, height FROM cameras WHERE camera_id = ?1", camera);
  if (!row.step()) refuse(image.name, fmt::format("its camera {} is missing", camera));
  const ImageSize size = image.camera.size;
  if (row.integer(0) == size.width && row.integer(1) == size.height) return;
  refuse(image.name,
         fmt::format(
             "it is {} × {} pixels, but the images of its camera are {} × {}; with `cameras` image each has its own",
             size.width, size.height, row.integer(0), row.integer(1)));
}

// From COLMAP 3.12 on an image is part of a frame, and a camera of a rig. COLMAP makes none for the images of a file
// of before that it brings up to date.
void WorkingDatabase::add_frames() {
  if (columns("frames").empty()) return;
  std::vector<std::pair<std::int64_t, std::int64_t>> images;
  auto rows = database_->query(
      "SELECT image_id, camera_id FROM images WHERE image_id NOT IN "
      "(SELECT data_id FROM frame_data WHERE sensor_type = 0) ORDER BY image_id");
  while (rows.step()) images.emplace_back(rows.integer(0), rows.integer(1));
  for (const auto& [image, camera] : images) add_frame(image, camera);
}

void WorkingDatabase::add_frame(std::int64_t image, std::int64_t camera) {
  auto known = database_->query("SELECT rig_id FROM rigs WHERE ref_sensor_id = ?1 AND ref_sensor_type = ?2", camera,
                                camera_sensor);
  const std::int64_t rig =
      known.step() ? known.integer(0) : insert("rigs", {{"ref_sensor_id", camera}, {"ref_sensor_type", camera_sensor}});
  const std::int64_t frame = insert("frames", {{"rig_id", rig}});
  insert("frame_data",
         {{"frame_id", frame}, {"data_id", image}, {"sensor_id", camera}, {"sensor_type", camera_sensor}});
}

// Writes the database without what only the work needs. SQLite leaves traces where it deletes a row, so that is done in
// a copy, of which the file is another.
void WorkingDatabase::write(const fs::path& whole) {
  if (!is_extended()) {
    database_->run("VACUUM INTO ?1", std::string_view(whole.native()));
    return;
  }
  const fs::path copy = beside(file_, "copy");
  remove_database(copy);
  database_->run("VACUUM INTO ?1", std::string_view(copy.native()));
  {
    sqlite::Database part(copy, false, file_kind);
    part.run("DELETE FROM octavo WHERE name IN (?1, ?2)", base_name, replaced_name);
    part.run("VACUUM INTO ?1", std::string_view(whole.native()));
  }
  remove_database(copy);
}

void WorkingDatabase::finish() {
  if (changed_) {
    sqlite::Transaction transaction(*database_);
    add_frames();
    transaction.commit();
    const fs::path whole = beside(file_, existing_ == Existing::extended ? "new" : "merged");
    remove_database(whole);
    write(whole);
    const std::string digest = is_extended() ? content_digest(file_) : "";
    if (stamp_of(file_) == base_ && !digest.empty()) set(replaced_name, digest);
    try {
      replace(file_, base_, whole);
    } catch (const Error&) {
      remove_database(whole);
      throw;
    }
  }
  database_.reset();
  remove_database(part_);
}

}  // namespace octavo::colmap
