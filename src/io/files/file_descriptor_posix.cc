// Open files of POSIX, with the lock of flock.

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "io/files/file_descriptor.h"
#include "io/files/file_facts_posix.h"

namespace octavo::io {

FileDescriptor::FileDescriptor(const std::filesystem::path& file, int flags)
    : number_(open(file.c_str(), flags | O_CLOEXEC, 0666)) {}

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) close(number_);
}

std::optional<FileFacts> FileDescriptor::facts() const {
  struct stat told {};
  if (fstat(number_, &told) != 0) return std::nullopt;
  return facts_of(told);
}

std::ptrdiff_t FileDescriptor::read(std::span<std::byte> bytes) const {
  return uninterrupted([&] { return ::read(number_, bytes.data(), bytes.size()); });
}

std::ptrdiff_t FileDescriptor::read_at(std::uint64_t place, std::span<std::byte> bytes) const {
  return uninterrupted([&] { return pread(number_, bytes.data(), bytes.size(), static_cast<off_t>(place)); });
}

void FileDescriptor::expect_reading() const { posix_fadvise(number_, 0, 0, POSIX_FADV_SEQUENTIAL); }

int FileDescriptor::write(std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = uninterrupted([&] { return ::write(number_, bytes.data(), bytes.size()); });
    if (written < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return 0;
}

int FileDescriptor::truncate(std::uint64_t size) const {
  return ftruncate(number_, static_cast<off_t>(size)) == 0 ? 0 : errno;
}

int FileDescriptor::flush() const {
  const int copy = dup(number_);
  return copy >= 0 && (close(copy) == 0 || errno == EINTR) ? 0 : errno;
}

int FileDescriptor::sync() const {
  // Some file systems cannot synchronise folders, and some no file (EINVAL).
  return fsync(number_) == 0 || errno == EINVAL ? 0 : errno;
}

void FileDescriptor::lock() const {
  uninterrupted([&] { return flock(number_, LOCK_EX); });
}

void FileDescriptor::take_permissions(const std::filesystem::path& of) const {
  struct stat told {};
  if (stat(of.c_str(), &told) == 0) static_cast<void>(fchmod(number_, told.st_mode & 0777));
}

void bring_to_disk(const std::filesystem::path& path) {
  const FileDescriptor descriptor(path, O_RDONLY);
  const int error = descriptor.number() < 0 ? errno : descriptor.sync();
  if (error != 0) fail_file("write", path, error);
}

}  // namespace octavo::io
