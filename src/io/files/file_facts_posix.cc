#include "io/files/file_facts_posix.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace octavo::io {

FileFacts facts_of(const struct stat& told) {
  return {.identity = {told.st_dev, told.st_ino},
          .size = static_cast<std::uint64_t>(told.st_size),
          .modified = std::int64_t{told.st_mtim.tv_sec} * 1'000'000'000 + told.st_mtim.tv_nsec,
          .is_regular = S_ISREG(told.st_mode),
          .is_folder = S_ISDIR(told.st_mode)};
}

std::optional<FileFacts> facts_of(const std::filesystem::path& file) {
  struct stat told {};
  if (stat(file.c_str(), &told) != 0) return std::nullopt;
  return facts_of(told);
}

int writing_error(const std::filesystem::path& path) {
  std::error_code unknown;
  const int wanted = std::filesystem::is_directory(path, unknown) ? W_OK | X_OK : W_OK;
  return faccessat(AT_FDCWD, path.c_str(), wanted, AT_EACCESS) == 0 ? 0 : errno;
}

std::size_t longest_name(const std::filesystem::path& folder) {
  const long most = pathconf(folder.c_str(), _PC_NAME_MAX);
  return most > 0 ? static_cast<std::size_t>(most) : 0;
}

}  // namespace octavo::io
