// Open files of POSIX, with the lock of flock.

#include "io/files/file_descriptor.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <string>
#include <system_error>

#include "octavo/error.h"

namespace octavo::io {

FileDescriptor::FileDescriptor(const std::filesystem::path& file, int flags)
    : number_(open(file.c_str(), flags | O_CLOEXEC, 0666)) {}

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) close(number_);
}

int FileDescriptor::write(std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = uninterrupted([&] { return ::write(number_, bytes.data(), bytes.size()); });
    if (written < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return 0;
}

int FileDescriptor::flush() const {
  const int copy = dup(number_);
  return copy >= 0 && (close(copy) == 0 || errno == EINTR) ? 0 : errno;
}

void fail_file(const char* verb, const std::filesystem::path& file, int reason) {
  throw Error(ErrorCode::file_error,
              std::string("cannot ") + verb + " '" + file.string() + "': " + std::generic_category().message(reason));
}

void bring_to_disk(const std::filesystem::path& path) {
  const FileDescriptor descriptor(path, O_RDONLY);
  // Some file systems cannot synchronise folders (EINVAL).
  if (descriptor.number() < 0 || (fsync(descriptor.number()) != 0 && errno != EINVAL)) fail_file("write", path, errno);
}

FileDescriptor open_locked(const std::filesystem::path& file, int flags) {
  for (;;) {
    FileDescriptor descriptor(file, flags);
    if (descriptor.number() < 0) return descriptor;
    uninterrupted([&] { return flock(descriptor.number(), LOCK_EX); });
    struct stat locked {
    }, named{};
    if (fstat(descriptor.number(), &locked) != 0) return descriptor;
    // Another process may have renamed or removed the file while this one waited for the lock. The name then belongs to
    // no file or to a new one.
    if (stat(file.c_str(), &named) == 0 && identity_of(locked) == identity_of(named)) return descriptor;
  }
}

}  // namespace octavo::io
