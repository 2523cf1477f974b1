#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace octavo::imageio {

/// A file in a ZIP archive.
struct ZipMember {
  std::string name;
  unsigned method = 0;  ///< 0: stored, 8: deflated
  unsigned crc = 0;
  std::size_t size = 0;             ///< [byte] unpacked
  std::span<const std::byte> data;  ///< as it lies in the archive
};

/// The files that an archive's directory lists. Throws DecodeError where the archive is truncated, damaged or
/// encrypted, or needs ZIP's extensions for more than 4 GiB.
std::vector<ZipMember> zip_members(std::span<const std::byte> archive);

/// The file itself. Throws DecodeError where it is packed in another way or damaged. It has member.size bytes, which
/// may be 1032 times those of the archive: look at its beginning first.
std::vector<std::byte> unpack(const ZipMember& member);

/// The file's first `length` bytes, or all; they take no more memory than that. Throws as unpack where they cannot be
/// had; whether the file is whole is left open.
std::vector<std::byte> unpack_beginning(const ZipMember& member, std::size_t length);

}  // namespace octavo::imageio
