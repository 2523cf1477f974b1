// A reader of the file, or a program that restarts after a crash, must never read half of it. POSIX guarantees that
// rename replaces a name atomically within one file system, so the temporary file is in the same folder.

#include "imageio/atomic_file.h"

#include <cerrno>
#include <cstdio>
#include <random>
#include <string>
#include <system_error>

#include "octavo/error.h"

namespace octavo::imageio {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw Error(ErrorCode::file_error, "cannot write '" + file.string() + "': " + why);
}

/// Empty if the write succeeded, otherwise the reason. Mode "x" refuses a file that exists.
std::string write_bytes(const fs::path& file, const char* mode, std::span<const std::byte> bytes) {
  std::FILE* stream = std::fopen(file.c_str(), mode);
  if (!stream) return std::generic_category().message(errno);
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), stream) == bytes.size();
  const int write_error = errno;
  const bool closed = std::fclose(stream) == 0;
  if (written && closed) return {};
  return std::generic_category().message(written ? errno : write_error);
}

fs::path beside(const fs::path& target) {
  std::random_device random;
  fs::path name = ".";
  name += target.filename();
  name += std::to_string(random());
  name += ".part";
  return target.parent_path() / name;
}

}  // namespace

void write_file(const fs::path& file, std::span<const std::byte> bytes) {
  std::error_code problem;
  const fs::file_status status = fs::status(file, problem);
  if (fs::is_directory(status)) refuse(file, "it is a directory");
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    const std::string why = write_bytes(file, "wb", bytes);
    if (!why.empty()) refuse(file, why);
    return;
  }
  const fs::path target =
      fs::is_symlink(fs::symlink_status(file, problem)) ? fs::weakly_canonical(file, problem) : file;
  const fs::path part = beside(target);
  std::string why = write_bytes(part, "wbx", bytes);
  if (why.empty()) {
    fs::rename(part, target, problem);
    if (!problem) return;
    why = problem.message();
  }
  fs::remove(part, problem);
  refuse(file, why);
}

}  // namespace octavo::imageio
