#pragma once

// Open files: file_descriptor_posix.cc and file_descriptor_windows.cc open them.

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>

#include "io/files/file_facts.h"

namespace octavo::io {

/// Calls a function of the system again while a signal interrupts it.
template <typename Call>
auto uninterrupted(const Call& call) {
  auto result = call();
  while (result == -1 && errno == EINTR) result = call();
  return result;
}

/// An open file. The destructor closes it, which ends its lock. It may be renamed and removed meanwhile.
class FileDescriptor {
 public:
  /// Opens the file with these flags of open(). If that fails, `number` is negative, and errno tells why.
  FileDescriptor(const std::filesystem::path& file, int flags);
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&&) = delete;

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] std::optional<FileFacts> facts() const;

  /// Reads what comes next, as much as the system gives at once, or what stands at a place, which may move the place
  /// of what comes next. Returns the number of bytes, 0 at the end; −1 if that fails, and errno tells why.
  [[nodiscard]] std::ptrdiff_t read(std::span<std::byte> bytes) const;
  [[nodiscard]] std::ptrdiff_t read_at(std::uint64_t place, std::span<std::byte> bytes) const;
  /// Tells the system that the file is read from its beginning to its end.
  void expect_reading() const;

  // These return 0, or the error.

  [[nodiscard]] int write(std::span<const std::byte> bytes) const;
  [[nodiscard]] int truncate(std::uint64_t size) const;
  /// Some file systems report only when a descriptor is closed that the disk is full. This closes a copy, since the
  /// lock must outlive what follows.
  [[nodiscard]] int flush() const;
  /// Waits until the disk has the file.
  [[nodiscard]] int sync() const;

  /// Waits until no other process has locked the file, and locks it. Where the file system has no locks, there is none.
  void lock() const;
  /// Gives it the permissions of a file, if that is there. Some file systems, such as FAT, have none.
  void take_permissions(const std::filesystem::path& of) const;

 private:
  int number_;
};

/// Throws Error(file_error): "cannot VERB 'FILE': " and what the system says of the error `reason`.
[[noreturn]] void fail_file(const char* verb, const std::filesystem::path& file, int reason);

/// Waits until the disk has a file, or the names in a folder: a crash of the machine may lose them before. Throws
/// Error(file_error).
void bring_to_disk(const std::filesystem::path& path);

/// Opens a file of this name, which is no link, and waits until no other process has locked it. The lock ends with the
/// process that holds it. Where the file system has no locks, there is none. If this fails, `number` is negative, and
/// errno tells why.
FileDescriptor open_locked(const std::filesystem::path& file, int flags);

}  // namespace octavo::io
