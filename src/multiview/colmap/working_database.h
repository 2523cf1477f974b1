#pragma once

// The database of COLMAP that a job works in: `.NAME.part`, with a write-ahead log, which keeps every transaction when
// the process is killed, without waiting for the disk. A merge works in `.NAME.merge`. VACUUM INTO then writes the
// finished file: in the order of the keys, with no log, and the same bytes whatever the order of the work was.
// file_replacement.h says how it gets its name.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "io/sqlite/sqlite.h"
#include "multiview/colmap/colmap_database.h"

namespace octavo::colmap {

/// What errors call the file.
inline constexpr std::string_view file_kind = "database";

using Blob = std::span<const std::byte>;
using Value = std::variant<std::int64_t, double, std::string_view, Blob>;
using Row = std::initializer_list<std::pair<std::string_view, Value>>;

/// Throws Error(invalid_argument) for an image or pair of this name.
[[noreturn]] void refuse(const std::string& name, const std::string& why);

/// Throws Error(file_error) for tables of a version of COLMAP that is not known. `verb` begins the sentence: "add to".
void require_known_version(sqlite::Database& database, const std::filesystem::path& file, std::string_view verb);

/// See ColmapDatabase. All functions throw Error(file_error).
class WorkingDatabase {
 public:
  /// What becomes of the content of a file that exists. Where it is replaced, the work begins anew: what a process that
  /// was killed has left is removed.
  enum class Existing { extended, replaced };
  WorkingDatabase(const std::filesystem::path& file, const std::string& settings,
                  Existing existing = Existing::extended);

  [[nodiscard]] sqlite::Database& database() { return *database_; }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  /// Something was added: `finish` writes the file.
  void set_changed() { changed_ = true; }

  /// An entry of the table `octavo`; empty if there is none.
  std::string value_of(std::string_view name);
  void set(std::string_view name, std::string_view value);

  /// Inserts a row, of which it leaves out the columns that the table does not have. Returns its number.
  std::int64_t insert(std::string_view table, Row row);

  /// The image_id of the image of this name. Adds it, and its camera, if it is not there. Throws
  /// Error(invalid_argument) for an image whose size is not that of its camera.
  std::int64_t add_image(const ColmapImage& image);

  /// Writes the database under its name, if something was added, or replaces the content of the one of this name.
  /// Nothing can be done with the object afterwards.
  void finish();

 private:
  [[nodiscard]] bool is_extended() const { return existing_ == Existing::extended && !base_.empty(); }
  [[noreturn]] void refuse_file(const std::string& why) const;
  void open();
  bool continues(const std::string& settings);
  bool is_taken_back();
  void copy_to(const std::filesystem::path& copy);
  void begin(const std::string& settings);
  void prepare(const std::string& settings);
  void require_tables();
  std::set<std::string> columns(std::string_view table);
  void add_place(std::int64_t image, std::int64_t camera, const GpsPlace& place);
  std::int64_t camera_row(const ColmapImage& image);
  void require_same_size(const ColmapImage& image, std::int64_t camera);
  void add_frames();
  void add_frame(std::int64_t image, std::int64_t camera);
  void write(const std::filesystem::path& whole);

  std::filesystem::path file_, part_;
  Existing existing_;
  std::string base_;  // the stamp of the file when the work began; empty: there was none
  std::optional<sqlite::Database> database_;
  bool changed_ = false;
};

}  // namespace octavo::colmap
