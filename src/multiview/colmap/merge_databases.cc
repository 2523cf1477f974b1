// Parts become the database that one run writes. Numbers of images and cameras count in the order of the list of all
// images, so they are given out first; then the features of one part after the other are copied as they are. All goes
// into a draft, which gets its name at the end. A merge that was killed begins anew: copying is quick.

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "io/json/json.h"
#include "multiview/colmap/colmap_part.h"
#include "multiview/colmap/colmap_shards.h"
#include "multiview/colmap/file_replacement.h"
#include "multiview/colmap/working_database.h"
#include "octavo/error.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;
using colmap::WorkingDatabase;

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::file_error, sentence); }

void require_kind(std::span<const Part> parts, PartKind kind) {
  require_whole(parts);
  const Part& part = parts.front();
  if (part.note.kind != kind) {
    refuse(
        fmt::format("cannot merge '{}' here: it holds {}, not {}", part.place, name_of(part.note.kind), name_of(kind)));
  }
}

// A database in work whose file gets its name at the end.
class Draft {
 public:
  Draft(const fs::path& file, const std::string& settings)
      : file_(file), draft_(beside(".merge")), stamp_(colmap::stamp_of(file)) {
    // What a merge that was killed has left.
    for (const char* ending : {".part", ".new"}) {
      colmap::remove_database(draft_.parent_path() / fmt::format(".{}{}", draft_.filename().string(), ending));
    }
    colmap::remove_database(draft_);
    work_.emplace(draft_, settings);
  }

  [[nodiscard]] WorkingDatabase& work() { return *work_; }

  void finish() {
    work_->finish();
    work_.reset();
    colmap::replace(file_, stamp_, draft_);
  }

 private:
  [[nodiscard]] fs::path beside(const std::string& ending) const {
    return file_.parent_path() / fmt::format(".{}{}", file_.filename().string(), ending);
  }

  fs::path file_, draft_;
  std::string stamp_;
  std::optional<WorkingDatabase> work_;
};

// Another database beside the one in work: its tables are `part.…`.
class Attached {
 public:
  Attached(sqlite::Database& database, const std::string& file) : database_(database) {
    database_.run("ATTACH ?1 AS part", std::string_view(file));
  }
  ~Attached() {
    try {
      database_.run("DETACH part");
    } catch (const Error&) {  // after another error
    }
  }
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;

 private:
  sqlite::Database& database_;
};

// An image of a part.
struct PartImage {
  std::int64_t place = 0;  // in the list of all images
  std::size_t part = 0;
  std::int64_t id = 0;  // its image_id there
  ColmapImage image;
};

ColmapCamera camera_in(const sqlite::Statement& row, int column) {
  ColmapCamera camera{.model = static_cast<ColmapModel>(row.integer(column)),
                      .size = {static_cast<int>(row.integer(column + 1)), static_cast<int>(row.integer(column + 2))},
                      .prior_focal_length = row.integer(column + 4) != 0};
  const std::span<const std::byte> params = row.blob(column + 3);
  camera.params.resize(params.size() / sizeof(double));
  std::memcpy(camera.params.data(), params.data(), camera.params.size() * sizeof(double));
  return camera;
}

std::optional<GpsPlace> place_in(const sqlite::Statement& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  GpsPlace place{.latitude = row.number(column), .longitude = row.number(column + 1)};
  if (!row.is_null(column + 2)) place.altitude = row.number(column + 2);
  return place;
}

void add_images(std::vector<PartImage>& images, const std::string& file, std::size_t part) {
  sqlite::Database database = sqlite::Database::to_read(file, colmap::file_kind);
  auto row = database.query(
      "SELECT image_id, i.name, place.value, key.value, prior_tx, prior_ty, prior_tz, "
      "model, width, height, params, prior_focal_length FROM images i JOIN cameras USING (camera_id) "
      "JOIN keypoints USING (image_id) JOIN octavo place ON place.name = ?1 || i.name "
      "LEFT JOIN octavo key ON key.name = ?2 || i.name",
      std::string_view(std::string(colmap::note_prefix) + colmap::place_note("")),
      std::string_view(std::string(colmap::note_prefix) + colmap::camera_note("")));
  while (row.step()) {
    PartImage one{.place = std::stoll(row.text(2)), .part = part, .id = row.integer(0), .image = {}};
    one.image.name = row.text(1);
    one.image.camera = camera_in(row, 7);
    one.image.camera_key = row.text(3);
    one.image.place = place_in(row, 4);
    images.push_back(std::move(one));
  }
}

std::string settings_in(const std::string& file) {
  sqlite::Database database = sqlite::Database::to_read(file, colmap::file_kind);
  auto row = database.query("SELECT value FROM octavo WHERE name = 'settings'");
  return row.step() ? colmap::job_settings_in(row.text(0)) : "";
}

// Gives numbers to the images, in their order, and returns the number of each name.
std::map<std::string, std::int64_t> numbers_of(std::vector<PartImage>& images, WorkingDatabase& work,
                                               const std::function<void(const std::string&)>& fail) {
  std::ranges::stable_sort(images, {}, &PartImage::place);
  std::map<std::string, std::int64_t> numbers;
  sqlite::Transaction transaction(work.database());
  for (const PartImage& one : images) {
    if (numbers.contains(one.image.name)) continue;  // of a part that was given twice
    std::int64_t number = 0;
    try {
      number = work.add_image(one.image);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::invalid_argument) throw;
      if (fail) fail(error.what());
    }
    numbers.emplace(one.image.name, number);
  }
  transaction.commit();
  return numbers;
}

bool has_same_features(sqlite::Database& database, std::int64_t here, std::int64_t there) {
  for (const char* table : {"keypoints", "descriptors"}) {
    const std::string same = fmt::format(
        "SELECT 1 FROM main.{0} a, part.{0} b WHERE a.image_id = ?1 AND b.image_id = ?2 AND a.rows = b.rows AND "
        "a.cols = b.cols AND a.data IS b.data",
        table);
    if (!database.query(same, here, there).step()) return false;
  }
  return true;
}

std::size_t count_of(sqlite::Database& database, const char* table) {
  return static_cast<std::size_t>(database.number(fmt::format("SELECT count(*) FROM main.{}", table)));
}

// Everything but what only a part has. The tables are those that Octavo makes.
void copy_database(sqlite::Database& database, const fs::path& file) {
  const Attached part(database, file.string());
  if (database.number("PRAGMA part.user_version") != database.number("PRAGMA main.user_version")) {
    refuse(fmt::format("cannot use the features of '{}': another program has changed its tables", file.string()));
  }
  sqlite::Transaction transaction(database);
  for (const char* table : {"cameras", "images", "keypoints", "descriptors", "matches", "two_view_geometries"}) {
    database.run(fmt::format("INSERT INTO main.{0} SELECT * FROM part.{0}", table));
  }
  database.run("INSERT OR REPLACE INTO main.octavo SELECT * FROM part.octavo");
  transaction.commit();
}

void add_matches_of(sqlite::Database& database, const std::string& file) {
  const Attached part(database, file);
  sqlite::Transaction transaction(database);
  const std::string other =
      "SELECT count(*) FROM main.matches a JOIN part.matches b USING (pair_id) WHERE a.data IS NOT b.data";
  const std::string other_geometry =
      "SELECT count(*) FROM main.two_view_geometries a JOIN part.two_view_geometries b USING (pair_id) "
      "WHERE a.data IS NOT b.data OR a.config <> b.config OR a.F IS NOT b.F";
  if (database.number(other) + database.number(other_geometry) > 0) {
    refuse(fmt::format("cannot merge '{}': pairs of images have other matches in another part", file));
  }
  for (const char* table : {"matches", "two_view_geometries"}) {
    database.run(fmt::format("INSERT OR IGNORE INTO main.{0} SELECT * FROM part.{0}", table));
  }
  transaction.commit();
}

std::string features_digest_in(const PartNote& note) {
  const Json settings = shallow_json(note.settings);
  return settings.is_object() ? settings.value("features", std::string()) : "";
}

}  // namespace

ColmapMerge merge_colmap_features(const fs::path& to, std::span<const Part> parts,
                                  const std::function<void(const std::string&)>& fail) {
  require_kind(parts, PartKind::colmap_features);
  std::vector<PartImage> images;
  for (std::size_t i = 0; i < parts.size(); ++i) add_images(images, parts[i].place, i);
  Draft draft(to, settings_in(parts.front().place));
  sqlite::Database& database = draft.work().database();
  const std::map<std::string, std::int64_t> numbers = numbers_of(images, draft.work(), fail);
  std::ranges::stable_sort(images, {}, &PartImage::part);
  auto next = images.begin();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Attached part(database, parts[i].place);
    sqlite::Transaction transaction(database);
    for (; next != images.end() && next->part == i; ++next) {
      const std::int64_t number = numbers.at(next->image.name);
      if (number == 0) continue;  // it cannot be put into the database
      if (database.query("SELECT 1 FROM main.keypoints WHERE image_id = ?1", number).step()) {
        if (has_same_features(database, number, next->id)) continue;
        refuse(fmt::format("cannot merge '{}' (shard {}): '{}' has other features in another part of this shard",
                           parts[i].place, text_of(parts[i].note.shard), next->image.name));
      }
      for (const char* table : {"keypoints", "descriptors"}) {
        database.run(fmt::format("INSERT INTO main.{0} (image_id, rows, cols, data) "
                                 "SELECT ?1, rows, cols, data FROM part.{0} WHERE image_id = ?2",
                                 table),
                     number, next->id);
      }
    }
    transaction.commit();
  }
  const ColmapMerge merged{.images = count_of(database, "images")};
  draft.finish();
  return merged;
}

ColmapMerge merge_colmap_matches(const fs::path& to, const fs::path& features, std::span<const Part> parts) {
  require_kind(parts, PartKind::colmap_matches);
  ColmapFeatures stored(features);
  if (stored.digest() != features_digest_in(parts.front().note)) {
    refuse(fmt::format("cannot merge '{}' with '{}': its matches are those of other features", parts.front().place,
                       features.string()));
  }
  Draft draft(to, stored.settings());
  sqlite::Database& database = draft.work().database();
  copy_database(database, features);
  for (const Part& part : parts) add_matches_of(database, part.place);
  const ColmapMerge merged{.images = count_of(database, "images"), .pairs = count_of(database, "matches")};
  draft.finish();
  return merged;
}

}  // namespace octavo
