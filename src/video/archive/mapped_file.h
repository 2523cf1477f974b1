#pragma once

// A file that is mapped into memory: its pages are read when they are used, and the system drops them when memory is
// short. So inverted lists may be larger than the memory of the machine.

#include <cstddef>
#include <filesystem>
#include <span>

namespace octavo {

class MappedFile {
 public:
  /// Maps a file to read it. Throws Error(file_error), which names the file and the reason.
  explicit MappedFile(const std::filesystem::path& file);
  /// Makes a file of so many bytes and maps it to write it. Throws Error(file_error), also for a full disk: the whole
  /// file is allocated.
  MappedFile(const std::filesystem::path& file, std::size_t bytes);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  [[nodiscard]] std::span<std::byte> bytes() { return bytes_; }

 private:
  std::span<std::byte> bytes_;
};

}  // namespace octavo
