#include "video/archive/catalogue.h"

#include <fmt/core.h>

#include "io/json/json.h"
#include "octavo/error.h"

namespace octavo::archive {

using sqlite::Database;
using sqlite::Statement;
using sqlite::Transaction;

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t application = 0x4f435456;  // "OCTV", for `file` and its kin
constexpr std::string_view what = "catalogue";    // for errors of the database
constexpr std::int64_t tables_version = 3;        // of the tables,
constexpr std::int64_t images_version = 4;        // and of the same with images among the clips

// `clip.work_seconds` is 0 but for clips of earlier versions: the times lie beside the catalogue (WorkTimes).
constexpr const char* tables = R"(
CREATE TABLE setting (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL  -- as JSON
) STRICT, WITHOUT ROWID;
CREATE TABLE clip (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  content TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  container TEXT NOT NULL,
  codec TEXT NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  frame_rate_numerator INTEGER NOT NULL,
  frame_rate_denominator INTEGER NOT NULL,
  seconds REAL NOT NULL,
  frames INTEGER NOT NULL,
  decoder TEXT NOT NULL,
  segment TEXT NOT NULL,
  segment_size INTEGER NOT NULL,
  work_seconds REAL NOT NULL,
  time_code TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX clip_segment ON clip (segment);
CREATE TABLE warning (
  clip INTEGER NOT NULL REFERENCES clip (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  sentence TEXT NOT NULL,
  PRIMARY KEY (clip, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE file (
  path TEXT PRIMARY KEY,
  given TEXT NOT NULL,
  size INTEGER,
  modified INTEGER,  -- nanoseconds since 1970
  clip INTEGER REFERENCES clip (id),
  failure TEXT,
  CHECK ((clip IS NULL) <> (failure IS NULL)),
  CHECK ((size IS NULL) = (modified IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX file_clip ON file (clip);
CREATE TABLE verdict (
  a TEXT NOT NULL,
  b TEXT NOT NULL,
  judgement TEXT NOT NULL CHECK (judgement IN ('same', 'different', 'ignore')),
  note TEXT NOT NULL,
  PRIMARY KEY (a, b),
  CHECK (a < b)
) STRICT, WITHOUT ROWID;
)";

constexpr std::string_view fast_name = "fast";  // the one setting that is not of SignatureOptions
// What tables of version 1 call `max_features`. Those of version 2 have no time codes.
constexpr std::string_view first_name_of_max_features = "features";

constexpr std::string_view clip_columns =
    "SELECT id, content, size, container, codec, width, height, frame_rate_numerator, frame_rate_denominator, seconds, "
    "frames, decoder, segment, segment_size, work_seconds, ";
constexpr std::string_view file_columns = "SELECT path, given, size, modified, clip, failure FROM file ";

std::string with(std::string_view columns, std::string_view condition) {
  return std::string(columns) + std::string(condition);
}

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::file_error, fmt::format("cannot use the catalogue '{}': {}", name, why));
}

std::int64_t number_of_tables(Database& database) { return database.number("SELECT count(*) FROM sqlite_schema"); }

// A word of a later version is of no interest to this one.
Judgement judgement_in(const Statement& row) { return judgement_of(row.text(2)).value_or(Judgement::ignore); }

ArchivedFile file_in(const Statement& row) {
  ArchivedFile file{.file = row.text(0), .given = row.text(1), .stamp = {}, .clip = {}, .failure = row.text(5)};
  if (!row.is_null(2)) file.stamp = FileStamp{static_cast<std::uint64_t>(row.integer(2)), row.integer(3)};
  if (!row.is_null(4)) file.clip = row.integer(4);
  return file;
}

OptionValue value_in(const std::string& json, OptionKind kind) {
  const Json value = parse_json(json);
  switch (kind) {
    case OptionKind::flag:
      return value.get<bool>();
    case OptionKind::integer:
      return value.get<std::int64_t>();
    case OptionKind::number:
      return value.get<double>();
    default:
      return value.get<std::string>();
  }
}

}  // namespace

bool Catalogue::is_unfinished(const fs::path& file) {
  try {
    Database database(file, false, what);
    return number_of_tables(database) == 0;
  } catch (const Error&) {
    return false;
  }
}

void Catalogue::make(const fs::path& file, const SignatureOptions& settings, bool fast) {
  Database database(file, true, what);
  database.use_write_ahead_log();
  Transaction transaction(database);
  // Another process may have made the tables meanwhile.
  if (number_of_tables(database) > 0) return;
  database.run_script(tables);
  const auto set = [&](std::string_view name, const OptionValue& value) {
    database.run("INSERT INTO setting VALUES (?1, ?2)", name, json_of(value));
  };
  for (const Option<SignatureOptions>& option : option_table<SignatureOptions>().options) {
    set(option.name, option.read(settings, option));
  }
  set(fast_name, fast);
  database.run_script(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", application, tables_version).c_str());
  transaction.commit();
}

Catalogue::Catalogue(const fs::path& file, bool may_change)
    : name_(file.string()),
      database_(may_change ? Database(file, false, what) : Database::to_read_only_folder(file, what)),
      work_times_(file.parent_path() / "work_times") {
  require_version();
  if (may_change) bring_up_to_date();
  read_settings();
}

// A folder that is only read keeps tables of an earlier version.
void Catalogue::bring_up_to_date() {
  if (has_time_codes()) return;
  Transaction transaction(database_);
  if (has_time_codes()) return;  // another process has added them meanwhile
  database_.run_script(fmt::format("ALTER TABLE clip ADD COLUMN time_code TEXT NOT NULL DEFAULT ''; "
                                   "PRAGMA user_version = {};",
                                   tables_version)
                           .c_str());
  transaction.commit();
}

bool Catalogue::has_time_codes() {
  return database_.number("SELECT count(*) FROM pragma_table_info('clip') WHERE name = 'time_code'") > 0;
}

std::string Catalogue::clips_where(std::string_view condition) {
  return fmt::format("{} {} FROM clip {}", clip_columns, has_time_codes() ? "time_code" : "''", condition);
}

void Catalogue::require_version() {
  if (database_.number("PRAGMA application_id") != application) refuse(name_, "another program made this file");
  const std::int64_t found = database_.number("PRAGMA user_version");
  if (found > images_version) {
    refuse(name_, fmt::format("a later version of Octavo made it: its tables are of version {}, and this program knows "
                              "version {}",
                              found, images_version));
  }
}

void Catalogue::read_settings() {
  const OptionTable<SignatureOptions>& table = option_table<SignatureOptions>();
  Statement row = database_.query("SELECT name, value FROM setting");
  while (row.step()) {
    const std::string name = row.text(0);
    if (name == fast_name) {
      fast_ = row.text(1) == "true";
      continue;
    }
    const Option<SignatureOptions>* const option =
        table.find(name == first_name_of_max_features ? "max_features" : name);
    if (option == nullptr) refuse(name_, fmt::format("there is no option '{}'", name));
    try {
      table.set(settings_, *option, value_in(row.text(1), option->kind));
    } catch (const Json::exception&) {
      refuse(name_, fmt::format("the setting '{}' is {}, which is no value of it", name, row.text(1)));
    }
  }
}

ArchivedClip Catalogue::clip_in(const Statement& row) {
  ArchivedClip clip;
  clip.id = row.integer(0);
  clip.content = row.text(1);
  clip.size = static_cast<std::uint64_t>(row.integer(2));
  clip.facts = {.container = row.text(3),
                .codec = row.text(4),
                .width = static_cast<int>(row.integer(5)),
                .height = static_cast<int>(row.integer(6)),
                .frame_rate = {row.integer(7), row.integer(8)},
                .seconds = row.number(9),
                .frames = row.integer(10),
                .warnings = {},
                .decoder = row.text(11),
                .time_code = row.text(15)};
  clip.signature_digest = row.text(12);
  clip.signature_size = static_cast<std::uint64_t>(row.integer(13));
  clip.work_seconds = work_times_.of(clip.content).value_or(row.number(14));
  Statement warning = database_.query("SELECT name, sentence FROM warning WHERE clip = ?1 ORDER BY position", clip.id);
  while (warning.step()) clip.facts.warnings.push_back({warning.text(0), warning.text(1)});
  Statement file = database_.query("SELECT path FROM file WHERE clip = ?1 ORDER BY path", clip.id);
  while (file.step()) clip.files.emplace_back(file.text(0));
  if (clip.files.empty()) refuse(name_, fmt::format("it is damaged: its clip {} has no file", clip.id));
  return clip;
}

std::vector<ArchivedClip> Catalogue::clips() {
  std::vector<ArchivedClip> clips;
  Statement row = database_.query(clips_where("ORDER BY content"));
  while (row.step()) clips.push_back(clip_in(row));
  return clips;
}

std::optional<ArchivedClip> Catalogue::clip(std::int64_t id) {
  Statement row = database_.query(clips_where("WHERE id = ?1"), id);
  if (!row.step()) return std::nullopt;
  return clip_in(row);
}

std::optional<std::int64_t> Catalogue::clip_of_content(std::string_view content) {
  Statement row = database_.query("SELECT id FROM clip WHERE content = ?1", content);
  if (!row.step()) return std::nullopt;
  return row.integer(0);
}

std::vector<ArchivedFile> Catalogue::files() {
  std::vector<ArchivedFile> files;
  Statement row = database_.query(with(file_columns, "ORDER BY path"));
  while (row.step()) files.push_back(file_in(row));
  return files;
}

std::optional<ArchivedFile> Catalogue::file(const fs::path& path) {
  Statement row = database_.query(with(file_columns, "WHERE path = ?1"), path.string());
  if (!row.step()) return std::nullopt;
  return file_in(row);
}

bool Catalogue::has_signature(const std::string& digest) {
  return database_.query("SELECT 1 FROM clip WHERE segment = ?1", digest).step();
}

std::int64_t Catalogue::add_clip(const ArchivedClip& clip) {
  const ClipFacts& facts = clip.facts;
  database_.run("INSERT INTO clip VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
                clip.content, static_cast<std::int64_t>(clip.size), facts.container, facts.codec,
                std::int64_t{facts.width}, std::int64_t{facts.height}, facts.frame_rate.numerator,
                facts.frame_rate.denominator, facts.seconds, facts.frames, facts.decoder, clip.signature_digest,
                static_cast<std::int64_t>(clip.signature_size), 0.0, facts.time_code);
  work_times_.add(clip.content, clip.work_seconds);
  const std::int64_t id = database_.last_id();
  // An earlier version would take an image for a clip.
  if (is_image(facts)) database_.run_script(fmt::format("PRAGMA user_version = {}", images_version).c_str());
  std::int64_t position = 0;
  for (const VideoWarning& warning : facts.warnings) {
    database_.run("INSERT INTO warning VALUES (?1, ?2, ?3, ?4)", id, position++, warning.name, warning.sentence);
  }
  return id;
}

std::vector<std::string> Catalogue::set_file(const ArchivedFile& file) {
  const std::optional<ArchivedFile> before = this->file(file.file);
  std::optional<std::int64_t> size, modified;
  std::optional<std::string> failure;
  if (file.stamp) {
    size = static_cast<std::int64_t>(file.stamp->size);
    modified = file.stamp->modified;
  }
  if (!file.clip) failure = file.failure;
  database_.run("INSERT OR REPLACE INTO file VALUES (?1, ?2, ?3, ?4, ?5, ?6)", file.file.string(), file.given.string(),
                size, modified, file.clip, failure);
  return remove_clip_without_files(before ? before->clip : std::nullopt);
}

std::vector<std::string> Catalogue::remove_file(const fs::path& path) {
  const std::optional<ArchivedFile> before = file(path);
  database_.run("DELETE FROM file WHERE path = ?1", path.string());
  return remove_clip_without_files(before ? before->clip : std::nullopt);
}

std::vector<std::string> Catalogue::remove_clip_without_files(std::optional<std::int64_t> clip) {
  if (!clip || database_.query("SELECT 1 FROM file WHERE clip = ?1", *clip).step()) return {};
  std::string signature;
  {
    Statement row = database_.query("SELECT segment FROM clip WHERE id = ?1", *clip);
    if (row.step()) signature = row.text(0);
  }
  database_.run("DELETE FROM clip WHERE id = ?1", *clip);
  // Different files may give the same signature, such as the same stream in two containers.
  if (has_signature(signature)) return {};
  return {signature};
}

void Catalogue::set_verdict(const Verdict& verdict) {
  database_.run("INSERT OR REPLACE INTO verdict VALUES (?1, ?2, ?3, ?4)", verdict.a, verdict.b,
                name_of(verdict.judgement), verdict.note);
}

bool Catalogue::remove_verdict(std::string_view a, std::string_view b) {
  return database_.run("DELETE FROM verdict WHERE a = ?1 AND b = ?2", a, b) > 0;
}

std::optional<Verdict> Catalogue::verdict(std::string_view a, std::string_view b) {
  Statement row = database_.query("SELECT a, b, judgement, note FROM verdict WHERE a = ?1 AND b = ?2", a, b);
  if (!row.step()) return std::nullopt;
  return Verdict{row.text(0), row.text(1), judgement_in(row), row.text(3)};
}

std::vector<Verdict> Catalogue::verdicts() {
  std::vector<Verdict> verdicts;
  Statement row = database_.query("SELECT a, b, judgement, note FROM verdict ORDER BY a, b");
  while (row.step()) verdicts.push_back({row.text(0), row.text(1), judgement_in(row), row.text(3)});
  return verdicts;
}

}  // namespace octavo::archive
