// Parts become the database that one run writes. Numbers of images and cameras count in the order of the list of all
// images, so they are given out first; then the features of one part after the other are copied as they are. A merge
// that was killed begins anew: copying is quick.

#include <fmt/core.h>

#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <string>

#include "io/json/json.h"
#include "multiview/colmap/colmap_database.h"
#include "multiview/colmap/colmap_part.h"
#include "multiview/colmap/colmap_shards.h"
#include "multiview/colmap/working_database.h"
#include "octavo/error.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;
using colmap::WorkingDatabase;

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::file_error, sentence); }

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

// Adds the images of a part, by their places in the list of all images.
void add_images(std::map<std::int64_t, ColmapImage>& images, const Part& part) {
  sqlite::Database database = sqlite::Database::to_read(part.place, colmap::file_kind);
  auto row = database.query(
      "SELECT i.name, place.value, key.value, prior_tx, prior_ty, prior_tz, "
      "model, width, height, params, prior_focal_length FROM images i JOIN cameras USING (camera_id) "
      "JOIN keypoints USING (image_id) JOIN octavo place ON place.name = ?1 || i.name "
      "LEFT JOIN octavo key ON key.name = ?2 || i.name",
      std::string_view(std::string(colmap::note_prefix) + colmap::place_note("")),
      std::string_view(std::string(colmap::note_prefix) + colmap::camera_note("")));
  while (row.step()) {
    images[std::stoll(row.text(1))] = {
        .name = row.text(0), .camera = camera_in(row, 6), .camera_key = row.text(2), .place = place_in(row, 3)};
  }
}

// What a merge takes of a part.
struct PartTable {
  const char* name;
  const char* key;
  const char* rows;   // with the numbers of the merged database, for the name of the table
  const char* image;  // by the key
  const char* other;  // tells whether rows `a` and `b` have other content
};

constexpr const char* rows_of_images =
    "SELECT i.image_id, t.rows, t.cols, t.data FROM part.{} t CROSS JOIN part.images USING (image_id) "
    "CROSS JOIN main.images i USING (name)";
constexpr const char* rows_of_pairs = "SELECT * FROM part.{}";
constexpr const char* other_rows = "a.rows <> b.rows OR a.cols <> b.cols OR a.data IS NOT b.data";
constexpr std::array tables_of_images{PartTable{"keypoints", "image_id", rows_of_images, "image_id", other_rows},
                                      PartTable{"descriptors", "image_id", rows_of_images, "image_id", other_rows}};
constexpr std::array tables_of_pairs{PartTable{"matches", "pair_id", rows_of_pairs, "pair_id / 2147483647", other_rows},
                                     PartTable{"two_view_geometries", "pair_id", rows_of_pairs, "pair_id / 2147483647",
                                               "a.data IS NOT b.data OR a.config <> b.config OR a.F IS NOT b.F"}};

// Copies rows as they are. Those of a part that is given twice are there already.
void take_rows(sqlite::Database& database, const Part& part, std::span<const PartTable> tables) {
  const Attached attached(database, part.place);
  sqlite::Transaction transaction(database);
  for (const PartTable& table : tables) {
    const std::string rows = fmt::format(fmt::runtime(table.rows), table.name);
    auto other = database.query(
        fmt::format("SELECT name FROM main.images WHERE image_id IN (SELECT {3} FROM ({1}) b CROSS JOIN main.{0} a "
                    "USING ({2}) WHERE {4} LIMIT 1)",
                    table.name, rows, table.key, table.image, table.other));
    if (other.step()) {
      refuse(fmt::format("cannot merge '{}' (shard {}): '{}' has other {} in another part of this shard", part.place,
                         text_of(part.note.shard), other.text(0), table.name));
    }
    database.run(fmt::format("INSERT OR IGNORE INTO main.{} {}", table.name, rows));
  }
  transaction.commit();
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

}  // namespace

void merge_colmap_features(const fs::path& to, std::span<const Part> parts,
                           const std::function<void(const std::string&)>& fail) {
  std::map<std::int64_t, ColmapImage> images;
  for (const Part& part : parts) add_images(images, part);
  WorkingDatabase work(to, colmap::job_settings_in(ColmapFeatures(parts.front().place).settings()),
                       WorkingDatabase::Existing::replaced);
  sqlite::Transaction numbering(work.database());
  for (const auto& [place, image] : images) {
    try {
      work.add_image(image);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::invalid_argument) throw;
      if (fail) fail(error.what());
    }
  }
  numbering.commit();
  for (const Part& part : parts) take_rows(work.database(), part, tables_of_images);
  work.finish();
}

void merge_colmap_matches(const fs::path& to, const fs::path& features, std::span<const Part> parts) {
  ColmapFeatures stored(features);
  if (stored.digest() != shallow_json(parts.front().note.settings).value("features", std::string())) {
    refuse(fmt::format("cannot merge '{}' with '{}': its matches are those of other features", parts.front().place,
                       features.string()));
  }
  WorkingDatabase work(to, stored.settings(), WorkingDatabase::Existing::replaced);
  copy_database(work.database(), features);
  for (const Part& part : parts) take_rows(work.database(), part, tables_of_pairs);
  work.finish();
}

}  // namespace octavo
