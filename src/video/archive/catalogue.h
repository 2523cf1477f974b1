#pragma once

// The tables of the catalogue, and their rows as structs. `clip` has a row for each content whose signature is in the
// archive, `warning` what was found while it was decoded; `file` has a row for each file, with its clip or the reason
// why it has none; `verdict` is what people say of pairs of contents; `setting` has the options of all signatures.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/sqlite/sqlite.h"
#include "octavo/video/video_archive.h"
#include "video/archive/work_times.h"

namespace octavo::archive {

/// The catalogue of a folder. It is used by one thread at a time. Changes are made within a Transaction. All functions
/// throw Error(file_error).
class Catalogue {
 public:
  /// Opens the catalogue, to read it alone unless `may_change`. Throws Error(file_error) if the file is no catalogue,
  /// or that of a later version.
  Catalogue(const std::filesystem::path& file, bool may_change);
  /// Whether the file is a database without tables: a process that made a catalogue was killed.
  static bool is_unfinished(const std::filesystem::path& file);
  /// Makes the catalogue, unless there is one.
  static void make(const std::filesystem::path& file, const SignatureOptions& settings, bool fast);

  [[nodiscard]] sqlite::Database& database() { return database_; }
  [[nodiscard]] const SignatureOptions& settings() const { return settings_; }
  [[nodiscard]] bool is_fast() const { return fast_; }

  std::vector<ArchivedClip> clips();
  std::optional<ArchivedClip> clip(std::int64_t id);
  std::optional<std::int64_t> clip_of_content(std::string_view content);
  std::vector<ArchivedFile> files();
  std::optional<ArchivedFile> file(const std::filesystem::path& path);
  bool has_signature(const std::string& digest);

  std::int64_t add_clip(const ArchivedClip& clip);
  /// Writes the row of a file, or replaces it. Returns the signatures that no clip has any more.
  std::vector<std::string> set_file(const ArchivedFile& file);
  /// The same for the removal of a file's row.
  std::vector<std::string> remove_file(const std::filesystem::path& path);

  void set_verdict(const Verdict& verdict);
  bool remove_verdict(std::string_view a, std::string_view b);
  std::optional<Verdict> verdict(std::string_view a, std::string_view b);
  std::vector<Verdict> verdicts();

 private:
  void require_version();
  void bring_up_to_date();
  bool has_time_codes();
  std::string clips_where(std::string_view condition);
  void read_settings();
  ArchivedClip clip_in(const sqlite::Statement& row);
  std::vector<std::string> remove_clip_without_files(std::optional<std::int64_t> clip);

  std::string name_;
  sqlite::Database database_;
  WorkTimes work_times_;
  SignatureOptions settings_;
  bool fast_ = false;
};

}  // namespace octavo::archive
