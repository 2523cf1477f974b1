#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace octavo::io {

/// A file for an archive: its bytes are those of `header` and then those of `data`.
struct ZipEntry {
  std::string name;
  std::string header;
  std::span<const std::byte> data;
};

/// A ZIP archive of these files, without compression and with the date 1 January 1980, so the same files give the same
/// bytes. Throws std::bad_alloc.
std::vector<std::byte> zip_archive(std::span<const ZipEntry> entries);

}  // namespace octavo::io
