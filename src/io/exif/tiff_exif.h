#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace octavo::io {

/// The EXIF data of a TIFF file as a block of their own: the entries of copied_tags.h, of the first directory and of
/// the directories of the photograph and of GPS that it names. Empty if the file is damaged there.
std::vector<std::byte> exif_block_of_tiff(std::span<const std::byte> file);

/// EXIF data as parts of a TIFF file.
struct TiffExif {
  std::vector<std::pair<std::uint16_t, std::string>> texts;  ///< tags and contents for the first directory
  std::vector<std::byte> directories;     ///< those of the photograph and of GPS, with their contents
  std::uint64_t photograph = 0, gps = 0;  ///< the offset of each in the file; 0: there is none
};

/// The EXIF data of a block, in the block's byte order, for a file in which `directories` will stand at the offset
/// `place`, which is even. Empty for a damaged block.
TiffExif tiff_exif_of_block(std::span<const std::byte> block, std::uint64_t place, bool is_big_tiff);

}  // namespace octavo::io
