// Open files of Windows, as descriptors of its C library. They share all access with others, as those of POSIX do: the
// library's own function would refuse a new name for an open file.

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <algorithm>

#include "io/files/file_descriptor.h"
#include "io/files/file_facts_windows.h"
#include "io/files/windows_error.h"

namespace octavo::io {
namespace {

constexpr std::size_t most_at_once = 1 << 30;  // the functions take an int

HANDLE handle_of(int number) { return reinterpret_cast<HANDLE>(_get_osfhandle(number)); }

DWORD access_of(int flags) {
  if ((flags & O_RDWR) != 0) return GENERIC_READ | GENERIC_WRITE;
  return (flags & O_WRONLY) != 0 ? GENERIC_WRITE | FILE_READ_ATTRIBUTES : GENERIC_READ;
}

int open_shared(const std::filesystem::path& file, int flags) {
  const HANDLE handle =
      CreateFileW(file.c_str(), access_of(flags), FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                  (flags & O_CREAT) != 0 ? OPEN_ALWAYS : OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (handle == INVALID_HANDLE_VALUE) {
    errno = windows_error();
    return -1;
  }
  const int number = _open_osfhandle(reinterpret_cast<std::intptr_t>(handle), (flags & O_APPEND) | _O_BINARY);
  if (number < 0) CloseHandle(handle);
  // A device, such as NUL, has no size.
  if (number >= 0 && (flags & O_TRUNC) != 0) static_cast<void>(_chsize_s(number, 0));
  return number;
}

}  // namespace

FileDescriptor::FileDescriptor(const std::filesystem::path& file, int flags) : number_(open_shared(file, flags)) {}

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) _close(number_);
}

std::optional<FileFacts> FileDescriptor::facts() const { return facts_of(handle_of(number_)); }

std::ptrdiff_t FileDescriptor::read(std::span<std::byte> bytes) const {
  return _read(number_, bytes.data(), static_cast<unsigned>(std::min(bytes.size(), most_at_once)));
}

std::ptrdiff_t FileDescriptor::read_at(std::uint64_t place, std::span<std::byte> bytes) const {
  return _lseeki64(number_, static_cast<std::int64_t>(place), SEEK_SET) < 0 ? -1 : read(bytes);
}

void FileDescriptor::expect_reading() const {}

int FileDescriptor::write(std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const int written = _write(number_, bytes.data(), static_cast<unsigned>(std::min(bytes.size(), most_at_once)));
    if (written < 0) return errno;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return 0;
}

int FileDescriptor::truncate(std::uint64_t size) const { return _chsize_s(number_, static_cast<std::int64_t>(size)); }

int FileDescriptor::flush() const { return 0; }

int FileDescriptor::sync() const { return FlushFileBuffers(handle_of(number_)) != 0 ? 0 : windows_error(); }

// A lock of Windows keeps others from the bytes that it names. So it names one that no file has.
void FileDescriptor::lock() const {
  OVERLAPPED place{};
  place.OffsetHigh = 1 << 30;
  static_cast<void>(LockFileEx(handle_of(number_), LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &place));
}

void FileDescriptor::take_permissions(const std::filesystem::path&) const {}

// Windows has no call that waits for the names in a folder.
void bring_to_disk(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) return;
  const FileDescriptor descriptor(path, O_RDWR);
  const int error = descriptor.number() < 0 ? errno : descriptor.sync();
  if (error != 0) fail_file("write", path, error);
}

}  // namespace octavo::io
