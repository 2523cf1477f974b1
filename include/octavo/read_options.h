#pragma once

#include <cstdint>

#include "octavo/api.h"
#include "octavo/option_table.h"

namespace OCTAVO_API octavo {

/// How pictures are read from files.
struct ReadOptions {
  /// Turn the picture as its EXIF data say. The rotation of HEIC and AVIF stands in the container and is always
  /// applied.
  bool apply_exif_rotation = true;
  /// The most pixels of a picture, 1 to 2^30. A larger one is an error before its memory is taken. Reading takes at
  /// most 64 bytes of memory for each pixel that this allows, and twice the file; docs/picture-formats.md has the
  /// figures.
  std::uint64_t max_pixels = std::uint64_t{1} << 28;

  bool operator==(const ReadOptions&) const = default;
};

template <>
const OptionTable<ReadOptions>& option_table<ReadOptions>();

/// Throws Error(invalid_option), which names the option.
void validate(const ReadOptions& options);

}  // namespace octavo
