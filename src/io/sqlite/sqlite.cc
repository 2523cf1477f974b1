#include "io/sqlite/sqlite.h"

#include <fmt/core.h>

#include <fstream>
#include <memory>
#include <new>
#include <system_error>
#include <thread>

#include "octavo/error.h"

namespace octavo::sqlite {
namespace {

[[noreturn]] void refuse(sqlite3* database, const std::string& name, int result) {
  const int kind = result & 0xff;
  std::string why = kind == SQLITE_BUSY     ? "another process keeps it locked"
                    : kind == SQLITE_NOTADB ? "it is no database of SQLite"
                    : database != nullptr   ? sqlite3_errmsg(database)
                                            : sqlite3_errstr(result);
  const int system_error = database != nullptr ? sqlite3_system_errno(database) : 0;
  if ((kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN) && system_error != 0) {
    why += ": " + std::generic_category().message(system_error);
  }
  throw Error(ErrorCode::file_error, fmt::format("cannot use the {}: {}", name, why));
}

// The bytes of a file, in SQLite's memory. They are read again if another process changes the file meanwhile. None if
// its log has changes.
std::span<unsigned char> whole_file(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  const auto log_bytes = [&] {
    std::error_code is_absent;
    const std::uintmax_t bytes = fs::file_size(file.string() + "-wal", is_absent);
    return is_absent ? 0 : bytes;
  };
  for (;;) {
    const fs::file_time_type changed = fs::last_write_time(file);
    const std::uintmax_t size = fs::file_size(file);
    std::unique_ptr<void, decltype(&sqlite3_free)> bytes(sqlite3_malloc64(size), &sqlite3_free);
    if (bytes == nullptr && size > 0) throw std::bad_alloc();
    std::ifstream in(file, std::ios::binary);
    in.read(static_cast<char*>(bytes.get()), static_cast<std::streamsize>(size));
    if (log_bytes() > 0) return {};
    if (in && fs::file_size(file) == size && fs::last_write_time(file) == changed) {
      return {static_cast<unsigned char*>(bytes.release()), size};
    }
  }
}

bool is_failure(int result) { return result != SQLITE_OK && result != SQLITE_ROW && result != SQLITE_DONE; }

}  // namespace

Statement::Statement(sqlite3* database, const std::string& name, std::string_view sql)
    : database_(database), name_(name) {
  sqlite3_stmt* statement = nullptr;
  const int result = sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  statement_.reset(statement);
  check(result);
}

void Statement::bind(std::int64_t value) { check(sqlite3_bind_int64(statement_.get(), ++bound_, value)); }
void Statement::bind(double value) { check(sqlite3_bind_double(statement_.get(), ++bound_, value)); }
void Statement::bind(std::string_view value) {
  // An empty view may have no address, which SQLite would take for NULL.
  const char* const text = value.empty() ? "" : value.data();
  check(sqlite3_bind_text64(statement_.get(), ++bound_, text, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}
void Statement::bind(std::span<const std::byte> value) {
  // An empty span may have no address, which SQLite would take for NULL.
  const void* const bytes = value.empty() ? static_cast<const void*>("") : value.data();
  check(sqlite3_bind_blob64(statement_.get(), ++bound_, bytes, value.size(), SQLITE_STATIC));
}
void Statement::bind_null() { check(sqlite3_bind_null(statement_.get(), ++bound_)); }

bool Statement::step() {
  const int result = sqlite3_step(statement_.get());
  check(result);
  return result == SQLITE_ROW;
}

bool Statement::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double Statement::number(int column) const { return sqlite3_column_double(statement_.get(), column); }
std::string Statement::text(int column) const {
  const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return text == nullptr ? std::string()
                         : std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)));
}

std::span<const std::byte> Statement::blob(int column) const {
  const auto* const bytes = static_cast<const std::byte*>(sqlite3_column_blob(statement_.get(), column));
  return {bytes, bytes == nullptr ? 0 : static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

void Statement::check(int result) const {
  if (is_failure(result)) refuse(database_, name_, result);
}

Database::Database(const std::filesystem::path& file, bool make, std::string_view what,
                   std::chrono::milliseconds patience)
    : Database(SQLITE_OPEN_READWRITE | (make ? SQLITE_OPEN_CREATE : 0), file, what, patience) {}

Database Database::to_read(const std::filesystem::path& file, std::string_view what) {
  return {SQLITE_OPEN_READONLY, file, what, std::chrono::minutes(1)};
}

Database Database::to_read_only_folder(const std::filesystem::path& file, std::string_view what) try {
  const std::span<unsigned char> bytes = whole_file(file);
  if (bytes.empty()) return to_read(file, what);
  // Its header says that there may be a log (sqlite.org/fileformat2.html, 1.3.3), which one in memory cannot have.
  constexpr std::size_t write_version = 18, read_version = 19;
  if (bytes.size() > read_version) bytes[write_version] = bytes[read_version] = 1;
  Database database(fmt::format("{} '{}'", what, file.string()));
  sqlite3* opened = nullptr;
  const int result = sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  database.database_.reset(opened);
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  database.check(result);
  database.check(sqlite3_deserialize(opened, "main", bytes.data(), size, size,
                                     SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY));
  return database;
} catch (const std::filesystem::filesystem_error& error) {
  throw Error(ErrorCode::file_error,
              fmt::format("cannot use the {} '{}': {}", what, file.string(), error.code().message()));
}

Database::Database(int access, const std::filesystem::path& file, std::string_view what,
                   std::chrono::milliseconds patience)
    : name_(fmt::format("{} '{}'", what, file.string())), patience_(patience) {
  sqlite3* database = nullptr;
  const int flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  const int result = sqlite3_open_v2(file.c_str(), &database, flags, nullptr);
  database_.reset(database);
  check(result);
  check(sqlite3_busy_timeout(database, static_cast<int>(patience_.count())));
  run_script("PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL;");
}

void Database::call(std::string_view what, const std::filesystem::path& file) {
  name_ = fmt::format("{} '{}'", what, file.string());
}

void Database::run_script(const char* sql) { check(sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr)); }

void Database::use_write_ahead_log() {
  // SQLite does not wait by itself here: two processes that wait for each other would wait in vain.
  const auto end = std::chrono::steady_clock::now() + patience_;
  int result = SQLITE_BUSY;
  while ((result & 0xff) == SQLITE_BUSY && std::chrono::steady_clock::now() < end) {
    result = sqlite3_exec(database_.get(), "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
    if ((result & 0xff) == SQLITE_BUSY) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  check(result);
}

bool Database::replace(Database& by, const std::function<bool()>& may_replace) {
  const auto end = [](sqlite3_backup* backup) { sqlite3_backup_finish(backup); };
  std::unique_ptr<sqlite3_backup, decltype(end)> backup(
      sqlite3_backup_init(database_.get(), "main", by.database_.get(), "main"), end);
  if (!backup) check(sqlite3_errcode(database_.get()));
  check(sqlite3_backup_step(backup.get(), 0));  // locks the file, and copies nothing
  if (!has_name() || !may_replace()) return false;
  check(sqlite3_backup_step(backup.get(), -1));
  check(sqlite3_backup_finish(backup.release()));
  return has_name();
}

// Whether the open file still is the one of its name.
bool Database::has_name() const {
  int has_moved = 0;
  check(sqlite3_file_control(database_.get(), "main", SQLITE_FCNTL_HAS_MOVED, &has_moved));
  return has_moved == 0;
}

void Database::check(int result) const {
  if (is_failure(result)) refuse(database_.get(), name_, result);
}

Transaction::~Transaction() {
  if (done_) return;
  try {
    database_.run("ROLLBACK");
  } catch (const Error&) {  // after some errors SQLite has rolled back itself
  }
}

void Transaction::commit() {
  database_.run("COMMIT");
  done_ = true;
}

}  // namespace octavo::sqlite
