#include "multiview/colmap/file_replacement.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "io/files/content_digest.h"
#include "io/files/file_descriptor.h"
#include "multiview/colmap/working_database.h"
#include "octavo/error.h"

namespace octavo::colmap {
namespace {

namespace fs = std::filesystem;

std::string size_and_time(const fs::path& file) {
  std::error_code none;
  const auto size = fs::file_size(file, none);
  if (none) return "";
  const auto time = fs::last_write_time(file, none);
  return fmt::format("{} {}", size, time.time_since_epoch().count());
}

[[noreturn]] void refuse_replacement(const fs::path& file, const std::string& why) {
  throw Error(ErrorCode::file_error, fmt::format("cannot write the database '{}': {}", file.string(), why));
}

constexpr const char* has_changed = "another program has changed it since this job began; call again";

void remove_logs(const fs::path& file) {
  for (const char* const ending : {"-wal", "-shm", "-journal"}) {
    std::error_code unknown;
    fs::remove(file.string() + ending, unknown);
  }
}

bool is_the_same(const fs::path& file, const fs::path& whole) {
  std::error_code none;
  const auto size = fs::file_size(whole);
  return stamp_of(file) == size_and_time(file) && fs::file_size(file, none) == size &&
         content_digest(file) == content_digest(whole);
}

// Gives the file its name, which no other file must have by now.
void name_new_file(const fs::path& whole, const fs::path& file) {
  // SQLite would apply the log of a database that is gone to the new one.
  if (!fs::exists(file)) remove_logs(file);
  io::bring_to_disk(whole);  // VACUUM INTO does not
  if (link(whole.c_str(), file.c_str()) == 0) {
    unlink(whole.c_str());
    io::bring_to_disk(fs::absolute(file).parent_path());
    return;
  }
  if (errno == EEXIST) refuse_replacement(file, has_changed);
  // Some file systems have no second names.
  if (fs::exists(fs::symlink_status(file))) refuse_replacement(file, has_changed);
  std::error_code failure;
  fs::rename(whole, file, failure);
  if (failure) refuse_replacement(file, failure.message());
}

}  // namespace

std::string stamp_of(const fs::path& file) {
  const std::string stamp = size_and_time(file);
  const fs::path log = file.string() + "-wal";
  std::error_code none;
  const auto size = fs::file_size(log, none);
  // A log without content is one of a reader.
  return stamp.empty() || none || size == 0 ? stamp : fmt::format("{}, {}", stamp, size_and_time(log));
}

void settle(const fs::path& file) {
  sqlite::Database database(file, false, file_kind);
  const sqlite::Transaction waiting(database);
}

void replace(const fs::path& file, const std::string& stamp, const fs::path& whole) {
  if (stamp.empty()) return name_new_file(whole, file);
  bool is_done = is_the_same(file, whole);
  if (!is_done) {
    sqlite::Database target(file, false, file_kind);
    sqlite::Database source = sqlite::Database::to_read(whole, file_kind);
    is_done = target.replace(source, [&] { return stamp_of(file) == stamp; });
  }
  if (!is_done) refuse_replacement(file, has_changed);
  remove_database(whole);
}

void remove_database(const fs::path& file) {
  std::error_code unknown;
  fs::remove(file, unknown);
  remove_logs(file);
}

}  // namespace octavo::colmap
