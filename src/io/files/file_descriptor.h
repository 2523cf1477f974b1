#pragma once

#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <span>
#include <utility>

namespace octavo::io {

/// Calls a function of the system again while a signal interrupts it.
template <typename Call>
auto uninterrupted(const Call& call) {
  auto result = call();
  while (result == -1 && errno == EINTR) result = call();
  return result;
}

/// A file's number in the system, which all its names have in common.
using FileIdentity = std::pair<dev_t, ino_t>;

inline FileIdentity identity_of(const struct stat& facts) { return {facts.st_dev, facts.st_ino}; }

/// An open file. The destructor closes it, which ends its lock.
class FileDescriptor {
 public:
  /// Opens the file with these flags of open(). If that fails, `number` is negative, and errno tells why.
  FileDescriptor(const std::filesystem::path& file, int flags);
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&&) = delete;

  [[nodiscard]] int number() const { return number_; }

  /// Returns 0, or the error.
  [[nodiscard]] int write(std::span<const std::byte> bytes) const;
  /// Some file systems report only when a descriptor is closed that the disk is full. This closes a copy, since the
  /// lock must outlive what follows. Returns 0, or the error.
  [[nodiscard]] int flush() const;

 private:
  int number_;
};

/// Throws Error(file_error): "cannot VERB 'FILE': " and what the system says of the error `reason`.
[[noreturn]] void fail_file(const char* verb, const std::filesystem::path& file, int reason);

/// Waits until the disk has a file, or the names in a folder: a crash of the machine may lose them before. Throws
/// Error(file_error).
void bring_to_disk(const std::filesystem::path& path);

/// Opens a file of this name and waits until no other process has locked it. The lock ends with the process that holds
/// it. Where the file system has no locks, there is none. If this fails, `number` is negative, and errno tells why.
FileDescriptor open_locked(const std::filesystem::path& file, int flags);

}  // namespace octavo::io
