#pragma once

#include <zip.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace octavo::io {

/// A file in a ZIP archive.
struct ZipMember {
  std::uint64_t index = 0;
  std::string name;
  std::size_t size = 0;  ///< [byte] unpacked
};

/// The files of a ZIP archive in memory. The bytes must outlive the reader.
class ZipReader {
 public:
  /// Throws DecodeError if the bytes are empty, are not an archive, or are a truncated or damaged archive.
  explicit ZipReader(std::span<const std::byte> archive);

  /// The file of that name, if there is one. Throws DecodeError if it is encrypted, is compressed by another method
  /// than NumPy's two (stored, deflated), or announces more bytes than the archive can contain.
  [[nodiscard]] std::optional<ZipMember> find(const std::string& name) const;

  /// The whole file, with its check sum verified. It has member.size bytes, up to 1032 times those of the archive, so
  /// callers read its beginning first. Throws DecodeError if it is damaged.
  [[nodiscard]] std::vector<std::byte> unpack(const ZipMember& member) const;

  /// The first `length` bytes of the file, or all. It allocates no more memory than that. Throws DecodeError if they
  /// are damaged. The check sum is not verified, since it covers the whole file.
  [[nodiscard]] std::vector<std::byte> unpack_beginning(const ZipMember& member, std::size_t length) const;

 private:
  std::size_t archive_size_;
  std::unique_ptr<zip_t, void (*)(zip_t*)> zip_;
};

}  // namespace octavo::io
