// COLMAP's database (colmap.github.io/database.html). Its origin is the corner of the picture, half a pixel left of and
// above Octavo's. A pair of pictures a < b has the number 2147483647·a + b. Matrices are stored row by row.
//
// The work is done in a database with a write-ahead log, which keeps every transaction when the process is killed,
// without waiting for the disk. VACUUM INTO then writes the finished file: in the order of the keys, with no log, and
// the same bytes whatever the order of the work was.

#include "octavo/colmap_database.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <initializer_list>
#include <set>
#include <system_error>
#include <utility>
#include <variant>

#include "colmap/colmap_tables.h"
#include "octavo/error.h"
#include "sqlite/sqlite.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;
using Blob = std::span<const std::byte>;

constexpr std::string_view what = "database";
constexpr std::int64_t most_images = 2147483647;
constexpr std::size_t most_blob = 1'000'000'000;  // SQLITE_MAX_LENGTH
constexpr float half_pixel = 0.5f;

fs::path beside(const fs::path& file, const std::string& ending) {
  return file.parent_path() / fmt::format(".{}.{}", file.filename().string(), ending);
}

void remove_logs(const fs::path& file) {
  for (const char* const ending : {"-wal", "-shm", "-journal"}) {
    std::error_code unknown;
    fs::remove(file.string() + ending, unknown);
  }
}

void remove_database(const fs::path& file) {
  std::error_code unknown;
  fs::remove(file, unknown);
  remove_logs(file);
}

// What tells that a file has not changed; empty if there is none.
std::string stamp_of(const fs::path& file) {
  std::error_code none;
  const auto size = fs::file_size(file, none);
  if (none) return "";
  const auto time = fs::last_write_time(file, none);
  return fmt::format("{} {}", size, time.time_since_epoch().count());
}

template <class Number>
Blob bytes_of_numbers(const std::vector<Number>& numbers) {
  return std::as_bytes(std::span(numbers));
}

std::int64_t pair_id(std::int64_t a, std::int64_t b) { return most_images * std::min(a, b) + std::max(a, b); }

bool is_short_of(const Features& features) {
  return features.descriptors.size() != features.size() * descriptor_length;
}

// The keypoints row by row, with 4 or 6 columns.
std::vector<float> rows_of(const Features& features, std::size_t columns) {
  std::vector<float> rows;
  rows.reserve(features.size() * columns);
  for (const Keypoint& k : features.keypoints) {
    rows.insert(rows.end(), {k.x + half_pixel, k.y + half_pixel});
    if (columns == 4) {
      rows.insert(rows.end(), {k.scale, k.orientation});
    } else {
      for (const double entry : affine_matrix(k)) rows.push_back(static_cast<float>(entry));
    }
  }
  return rows;
}

std::vector<std::uint32_t> rows_of(std::span<const Match> matches, bool swapped,
                                   std::span<const std::uint8_t> inliers) {
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    if (!inliers.empty() && inliers[i] == 0) continue;
    const auto a = static_cast<std::uint32_t>(matches[i].a), b = static_cast<std::uint32_t>(matches[i].b);
    rows.insert(rows.end(), {swapped ? b : a, swapped ? a : b});
  }
  return rows;
}

// F of COLMAP's coordinates, from the smaller number to the larger: bᵀ·F·a = 0. With T the shift by half a pixel it is
// T⁻ᵀ·F·T⁻¹: only the last row and column change.
std::vector<double> shifted(const std::array<double, 9>& f, bool swapped) {
  std::array<double, 9> g = f;
  if (swapped) g = {f[0], f[3], f[6], f[1], f[4], f[7], f[2], f[5], f[8]};
  constexpr double half = half_pixel;
  for (std::size_t row = 0; row < 3; ++row) g[3 * row + 2] -= half * (g[3 * row] + g[3 * row + 1]);
  for (std::size_t column = 0; column < 3; ++column) g[6 + column] -= half * (g[column] + g[3 + column]);
  return {g.begin(), g.end()};
}

}  // namespace

class ColmapDatabase::Impl {
 public:
  Impl(const fs::path& file, const std::string& settings)
      : file_(file), part_(beside(file, "part")), base_(stamp_of(file)) {
    if (!fs::exists(part_) || !continues(settings)) begin(settings);
  }

  std::optional<std::int64_t> image_of(std::string_view name) {
    auto row = database_->query(
        "SELECT image_id FROM images JOIN keypoints USING (image_id) JOIN descriptors USING (image_id) WHERE name = ?1",
        name);
    if (!row.step()) return std::nullopt;
    return row.integer(0);
  }

  std::int64_t add(const ColmapPicture& picture, const Features& features) {
    if (is_short_of(features)) refuse(picture.name, "it has features without descriptors");
    if (features.descriptors.size() > most_blob) {
      refuse(picture.name, fmt::format("the descriptors of its {} keypoints take more than 10^9 bytes, the most that "
                                       "SQLite keeps in a field; `max_features` keeps fewer",
                                       features.size()));
    }
    sqlite::Transaction transaction(*database_);
    const std::int64_t image = image_row(picture);
    const bool ellipses = std::any_of(features.keypoints.begin(), features.keypoints.end(), has_ellipse);
    const std::size_t columns = ellipses ? 6 : 4;
    const std::vector<float> keypoints = rows_of(features, columns);
    const auto rows = static_cast<std::int64_t>(features.size());
    database_->run("DELETE FROM keypoints WHERE image_id = ?1", image);
    database_->run("DELETE FROM descriptors WHERE image_id = ?1", image);
    insert("keypoints", {{"image_id", image},
                         {"rows", rows},
                         {"cols", static_cast<std::int64_t>(columns)},
                         {"data", bytes_of_numbers(keypoints)}});
    insert("descriptors", {{"image_id", image},
                           {"type", std::int64_t{0}},  // SIFT, in COLMAP 4
                           {"rows", rows},
                           {"cols", static_cast<std::int64_t>(descriptor_length)},
                           {"data", bytes_of_numbers(features.descriptors)}});
    transaction.commit();
    changed_ = true;
    return image;
  }

  Features features(std::int64_t image) {
    auto row = database_->query(
        "SELECT k.rows, k.cols, k.data, d.rows, d.cols, d.data FROM keypoints k JOIN descriptors d USING (image_id) "
        "WHERE image_id = ?1",
        image);
    if (!row.step()) refuse(fmt::format("picture {}", image), "it has no features");
    const auto count = static_cast<std::size_t>(row.integer(0)), columns = static_cast<std::size_t>(row.integer(1));
    const Blob keypoints = row.blob(2), descriptors = row.blob(5);
    const bool fits = (columns == 2 || columns == 4 || columns == 6) && row.integer(3) == row.integer(0) &&
                      row.integer(4) == std::int64_t{descriptor_length} &&
                      keypoints.size() == count * columns * sizeof(float) &&
                      descriptors.size() == count * descriptor_length;
    if (!fits) {
      throw Error(ErrorCode::file_error,
                  fmt::format("cannot use the database '{}': the features of picture {} are not keypoints of 2, 4 or 6 "
                              "columns with descriptors of 128 bytes",
                              file_.string(), image));
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
      if (columns == 6) k.a11 = numbers[2], k.a12 = numbers[3], k.a21 = numbers[4], k.a22 = numbers[5];
    }
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(descriptors.data());
    features.descriptors.assign(bytes, bytes + descriptors.size());
    return features;
  }

  std::uint64_t feature_bytes(std::int64_t image) {
    auto row = database_->query("SELECT rows FROM keypoints WHERE image_id = ?1", image);
    const auto count = row.step() ? static_cast<std::uint64_t>(row.integer(0)) : 0;
    return count * (sizeof(Keypoint) + descriptor_length);
  }

  bool has(std::string_view table, std::int64_t a, std::int64_t b) {
    return database_->query(fmt::format("SELECT 1 FROM {} WHERE pair_id = ?1", table), pair_id(a, b)).step();
  }

  void add_matches(std::int64_t a, std::int64_t b, std::span<const Match> matches, const RobustModel* fundamental,
                   std::span<const Match> verified) {
    if (a == b) refuse(fmt::format("picture {}", a), "it cannot be matched with itself");
    if (fundamental != nullptr && fundamental->inliers.size() != verified.size()) {
      refuse(fmt::format("pair {} {}", a, b), "it has another number of inliers than of matches");
    }
    const std::int64_t pair = pair_id(a, b);
    sqlite::Transaction transaction(*database_);
    database_->run("DELETE FROM matches WHERE pair_id = ?1", pair);
    add_rows("matches", pair, rows_of(matches, a > b, {}), {});
    if (fundamental != nullptr) {
      database_->run("DELETE FROM two_view_geometries WHERE pair_id = ?1", pair);
      add_geometry(pair, *fundamental, verified, a > b);
    }
    transaction.commit();
    changed_ = true;
  }

  void finish() {
    if (changed_) {
      sqlite::Transaction transaction(*database_);
      add_frames();
      transaction.commit();
      const fs::path whole = beside(file_, "new");
      remove_database(whole);
      database_->run("VACUUM INTO ?1", std::string_view(whole.native()));
      if (!base_.empty()) sqlite::Database(whole, false, what).run("DELETE FROM octavo WHERE name = 'base'");
      // COLMAP may leave the log of the file that is replaced. The copy at the beginning has what was in it.
      remove_logs(file_);
      std::error_code failure;
      fs::rename(whole, file_, failure);
      if (failure) refuse_file(failure.message());
    }
    database_.reset();
    remove_database(part_);
  }

 private:
  using Value = std::variant<std::int64_t, double, std::string_view, Blob>;
  using Row = std::initializer_list<std::pair<std::string_view, Value>>;

  [[noreturn]] static void refuse(const std::string& name, const std::string& why) {
    throw Error(ErrorCode::invalid_argument, fmt::format("cannot put '{}' into the database: {}", name, why));
  }
  [[noreturn]] void refuse_file(const std::string& why) const {
    throw Error(ErrorCode::file_error, fmt::format("cannot write the database '{}': {}", file_.string(), why));
  }

  void open() {
    // A process that works on the same database does so for long: waiting is in vain.
    database_.emplace(part_, true, what, std::chrono::seconds(1));
    database_->run_script("PRAGMA locking_mode = EXCLUSIVE");
    database_->use_write_ahead_log();
    database_->run_script("PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE; COMMIT");
  }

  std::string value_of(std::string_view name) {
    auto row = database_->query("SELECT value FROM octavo WHERE name = ?1", name);
    return row.step() ? row.text(0) : "";
  }

  void set(std::string_view name, std::string_view value) {
    database_->run("INSERT OR REPLACE INTO octavo VALUES (?1, ?2)", name, value);
  }

  // Opens the unfinished file. False, and the file is removed, if it is of another job.
  bool continues(const std::string& settings) {
    open();
    const bool has_table = database_->number("SELECT count(*) FROM sqlite_schema WHERE name = 'octavo'") == 1;
    if (has_table && value_of("settings") == settings && value_of("base") == base_) {
      changed_ = true;
      return true;
    }
    database_.reset();
    remove_database(part_);
    return false;
  }

  void begin(const std::string& settings) {
    if (!base_.empty()) {
      const fs::path copy = beside(file_, "copy");
      remove_database(copy);
      sqlite::Database(file_, false, what).run("VACUUM INTO ?1", std::string_view(copy.native()));
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
    changed_ = base_.empty();  // a new database is written even if it is empty
  }

  void prepare(const std::string& settings) {
    sqlite::Transaction transaction(*database_);
    if (base_.empty()) database_->run_script(colmap::tables);
    require_tables();
    database_->run_script(colmap::own_table);
    if (const std::string before = value_of("settings"); !before.empty() && before != settings) {
      throw Error(ErrorCode::file_error,
                  fmt::format("cannot add to the database '{}': it was made with other options of features, matches or "
                              "cameras; use the same ones, or another database",
                              file_.string()));
    }
    set("settings", settings);
    if (!base_.empty()) set("base", base_);
    transaction.commit();
  }

  void require_tables() {
    for (const char* const table :
         {"cameras", "images", "keypoints", "descriptors", "matches", "two_view_geometries"}) {
      if (!columns(table).empty()) continue;
      throw Error(ErrorCode::file_error,
                  fmt::format("cannot add to the database '{}': it is not COLMAP's, since it has no table '{}'",
                              file_.string(), table));
    }
  }

  // The columns that a table has in this file.
  std::set<std::string> columns(std::string_view table) {
    std::set<std::string> names;
    auto row = database_->query("SELECT name FROM pragma_table_info(?1)", table);
    while (row.step()) names.insert(row.text(0));
    return names;
  }

  // Inserts a row, of which it leaves out the columns that the table does not have. Returns its number.
  std::int64_t insert(std::string_view table, Row row) {
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

  std::int64_t image_row(const ColmapPicture& picture) {
    auto known = database_->query("SELECT image_id FROM images WHERE name = ?1", std::string_view(picture.name));
    if (known.step()) return known.integer(0);
    const std::int64_t camera = camera_row(picture);
    const std::int64_t image = insert("images", {{"name", std::string_view(picture.name)}, {"camera_id", camera}});
    if (picture.place && columns("images").contains("prior_tx")) {
      database_->run("UPDATE images SET prior_tx = ?1, prior_ty = ?2, prior_tz = ?3 WHERE image_id = ?4",
                     picture.place->latitude, picture.place->longitude, picture.place->altitude, image);
    }
    return image;
  }

  std::int64_t camera_row(const ColmapPicture& picture) {
    const std::string name = "camera of " + picture.camera_key;
    if (!picture.camera_key.empty()) {
      if (const std::string number = value_of(name); !number.empty()) {
        const std::int64_t camera = std::stoll(number);
        require_same_size(picture, camera);
        return camera;
      }
    }
    const std::int64_t camera =
        insert("cameras", {{"model", static_cast<std::int64_t>(picture.camera.model)},
                           {"width", static_cast<std::int64_t>(picture.camera.size.width)},
                           {"height", static_cast<std::int64_t>(picture.camera.size.height)},
                           {"params", bytes_of_numbers(picture.camera.params)},
                           {"prior_focal_length", std::int64_t{picture.camera.prior_focal_length}}});
    if (!picture.camera_key.empty()) set(name, std::to_string(camera));
    return camera;
  }

  void require_same_size(const ColmapPicture& picture, std::int64_t camera) {
    auto row = database_->query("SELECT width, height FROM cameras WHERE camera_id = ?1", camera);
    if (!row.step()) refuse(picture.name, fmt::format("its camera {} is missing", camera));
    const ImageSize size = picture.camera.size;
    if (row.integer(0) == size.width && row.integer(1) == size.height) return;
    refuse(picture.name, fmt::format("it is {} × {} pixels, but the pictures of its camera are {} × {}", size.width,
                                     size.height, row.integer(0), row.integer(1)));
  }

  // From COLMAP 3.12 on an image is part of a frame, and a camera of a rig. COLMAP makes none for the images of a file
  // of before that it brings up to date.
  void add_frames() {
    if (columns("frames").empty()) return;
    std::vector<std::pair<std::int64_t, std::int64_t>> images;
    auto rows = database_->query(
        "SELECT image_id, camera_id FROM images WHERE image_id NOT IN "
        "(SELECT data_id FROM frame_data WHERE sensor_type = 0) ORDER BY image_id");
    while (rows.step()) images.emplace_back(rows.integer(0), rows.integer(1));
    for (const auto& [image, camera] : images) add_frame(image, camera);
  }

  void add_frame(std::int64_t image, std::int64_t camera) {
    constexpr std::int64_t camera_sensor = 0;
    auto known = database_->query("SELECT rig_id FROM rigs WHERE ref_sensor_id = ?1 AND ref_sensor_type = ?2", camera,
                                  camera_sensor);
    const std::int64_t rig = known.step()
                                 ? known.integer(0)
                                 : insert("rigs", {{"ref_sensor_id", camera}, {"ref_sensor_type", camera_sensor}});
    const std::int64_t frame = insert("frames", {{"rig_id", rig}});
    insert("frame_data",
           {{"frame_id", frame}, {"data_id", image}, {"sensor_id", camera}, {"sensor_type", camera_sensor}});
  }

  // A row of matches of two columns, with the further fields of `geometry`.
  void add_rows(std::string_view table, std::int64_t pair, const std::vector<std::uint32_t>& indices,
                std::span<const std::pair<std::string_view, Value>> geometry) {
    if (indices.size() * sizeof(std::uint32_t) > most_blob) {
      refuse(fmt::format("pair {}", pair), "its matches take more than 10^9 bytes, the most that SQLite keeps");
    }
    const std::int64_t rows = static_cast<std::int64_t>(indices.size() / 2);
    if (geometry.empty()) {
      insert(table,
             {{"pair_id", pair}, {"rows", rows}, {"cols", std::int64_t{2}}, {"data", bytes_of_numbers(indices)}});
      return;
    }
    insert(table, {{"pair_id", pair},
                   {"rows", rows},
                   {"cols", std::int64_t{2}},
                   {"data", bytes_of_numbers(indices)},
                   geometry[0],
                   geometry[1],
                   geometry[2],
                   geometry[3],
                   geometry[4],
                   geometry[5]});
  }

  // As COLMAP writes it: zeros for the matrices and the pose that are not known, nothing where there is no model.
  void add_geometry(std::int64_t pair, const RobustModel& model, std::span<const Match> verified, bool swapped) {
    constexpr std::int64_t degenerate = 1, uncalibrated = 3;
    const std::vector<double> f = model.found ? shifted(model.b_from_a, swapped) : std::vector<double>{};
    const std::vector<double> none(model.found ? 9 : 0), translation(model.found ? 3 : 0);
    std::vector<double> rotation(model.found ? 4 : 0);
    if (model.found) rotation[0] = 1;
    const std::array<std::pair<std::string_view, Value>, 6> fields{{{"config", model.found ? uncalibrated : degenerate},
                                                                    {"F", bytes_of_numbers(f)},
                                                                    {"E", bytes_of_numbers(none)},
                                                                    {"H", bytes_of_numbers(none)},
                                                                    {"qvec", bytes_of_numbers(rotation)},
                                                                    {"tvec", bytes_of_numbers(translation)}}};
    const std::vector<std::uint32_t> rows =
        model.found ? rows_of(verified, swapped, model.inliers) : std::vector<std::uint32_t>{};
    add_rows("two_view_geometries", pair, rows, fields);
  }

  fs::path file_, part_;
  std::string base_;
  std::optional<sqlite::Database> database_;
  bool changed_ = false;
};

ColmapDatabase::ColmapDatabase(const fs::path& file, const std::string& settings)
    : impl_(std::make_unique<Impl>(file, settings)) {}
ColmapDatabase::~ColmapDatabase() = default;
ColmapDatabase::ColmapDatabase(ColmapDatabase&&) noexcept = default;
ColmapDatabase& ColmapDatabase::operator=(ColmapDatabase&&) noexcept = default;

std::optional<std::int64_t> ColmapDatabase::image_of(std::string_view name) { return impl_->image_of(name); }
std::int64_t ColmapDatabase::add(const ColmapPicture& picture, const Features& features) {
  return impl_->add(picture, features);
}
Features ColmapDatabase::features(std::int64_t image) { return impl_->features(image); }
std::uint64_t ColmapDatabase::feature_bytes(std::int64_t image) { return impl_->feature_bytes(image); }
bool ColmapDatabase::has_matches(std::int64_t a, std::int64_t b) { return impl_->has("matches", a, b); }
bool ColmapDatabase::has_geometry(std::int64_t a, std::int64_t b) { return impl_->has("two_view_geometries", a, b); }
void ColmapDatabase::add_matches(std::int64_t a, std::int64_t b, std::span<const Match> matches,
                                 const RobustModel* fundamental, std::span<const Match> verified) {
  impl_->add_matches(a, b, matches, fundamental, verified);
}
void ColmapDatabase::finish() { impl_->finish(); }

}  // namespace octavo
