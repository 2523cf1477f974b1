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

/// The files that an archive's directory lists. Throws DecodeError where the archive is truncated or damaged, or needs
/// ZIP's extensions for more than 4 GiB.
std::vector<ZipMember> zip_members(std::span<const std::byte> archive);

/// The file itself. Throws DecodeError where it is encrypted, packed in another way, or damaged.
std::vector<std::byte> unpack(const ZipMember& member);

}  // namespace octavo::imageio
