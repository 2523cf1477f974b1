// What tells that a file is the one that an archive knows: its size, its time and its path.

#include <sys/stat.h>

#include <cerrno>
#include <system_error>

#include "io/files/read_bytes.h"
#include "octavo/error.h"
#include "octavo/video/video_archive.h"

namespace octavo {

namespace {

[[noreturn]] void refuse_stamp(const std::filesystem::path& file, int error) {
  io::refuse(file.string(), std::generic_category().message(error));
}

}  // namespace

std::optional<FileStamp> stamp_of(const std::filesystem::path& file) {
  struct stat facts {};
  if (stat(file.c_str(), &facts) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    refuse_stamp(file, errno);
  }
  if (S_ISDIR(facts.st_mode)) io::refuse(file.string(), "it is a directory");
  if (!S_ISREG(facts.st_mode)) io::refuse(file.string(), "it is no regular file");
  return FileStamp{static_cast<std::uint64_t>(facts.st_size),
                   std::int64_t{facts.st_mtim.tv_sec} * 1'000'000'000 + facts.st_mtim.tv_nsec};
}

std::string lack_of(const std::filesystem::path& file, const std::optional<FileStamp>& known) {
  try {
    const std::optional<FileStamp> now = stamp_of(file);
    if (!now) return "there is no such file";
    return now == known ? "" : "it changed since it was indexed";
  } catch (const Error& error) {
    if (error.code() != ErrorCode::file_error) throw;
    return error.what();
  }
}

std::filesystem::path archive_path(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  if (file.empty()) return file;  // no file, which has no absolute path
  std::error_code error;
  fs::path path = fs::weakly_canonical(file, error);
  // It stays relative if not even its first part exists.
  return error || !path.is_absolute() ? fs::absolute(file).lexically_normal() : path;
}

}  // namespace octavo
