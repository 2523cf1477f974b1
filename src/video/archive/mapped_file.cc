#include "video/archive/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "io/files/file_descriptor.h"

namespace octavo {

namespace {

using io::FileDescriptor;

std::span<std::byte> map(const FileDescriptor& descriptor, std::size_t bytes, int protection, const char* verb,
                         const std::filesystem::path& file) {
  if (bytes == 0) return {};
  void* const data = mmap(nullptr, bytes, protection, MAP_SHARED, descriptor.number(), 0);
  if (data == MAP_FAILED) io::fail_file(verb, file, errno);
  return {static_cast<std::byte*>(data), bytes};
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& file) {
  const FileDescriptor descriptor(file, O_RDONLY);
  struct stat facts {};
  if (descriptor.number() < 0 || fstat(descriptor.number(), &facts) != 0) io::fail_file("read", file, errno);
  bytes_ = map(descriptor, static_cast<std::size_t>(facts.st_size), PROT_READ, "read", file);
}

MappedFile::MappedFile(const std::filesystem::path& file, std::size_t bytes) {
  const FileDescriptor descriptor(file, O_RDWR | O_CREAT | O_TRUNC);
  if (descriptor.number() < 0) io::fail_file("write", file, errno);
  // A write into a hole of a mapped file on a full disk would end the process.
  const int reason = posix_fallocate(descriptor.number(), 0, static_cast<off_t>(bytes));
  if (reason != 0) io::fail_file("write", file, reason);
  bytes_ = map(descriptor, bytes, PROT_READ | PROT_WRITE, "write", file);
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace octavo
