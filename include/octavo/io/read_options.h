#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "octavo/api.h"
#include "octavo/option_table.h"

// How images are read from files. octavo/io/image_files.h reads them.

namespace OCTAVO_API octavo {

/// Which values of u16 and f32 images become 0 and full scale.
enum class InputRange {
  image,  ///< those that the image uses: full_scale(values_used), see octavo/value_range.h
  full,   ///< 0 and 65535, 0 and 1: values stay as they are stored
};

/// Is told a sentence, which names the file, of each image that is read though its file is not whole, on any thread
/// that reads. It changes no pixel, so that options that differ in it alone are equal.
struct ReadWarning {
  std::function<void(const std::string& sentence)> tell{};

  friend bool operator==(const ReadWarning&, const ReadWarning&) { return true; }
};

/// How images are read from files.
struct ReadOptions {
  /// Turn the image as its EXIF data say. The rotation of HEIC and AVIF stands in the container and is always
  /// applied.
  bool apply_exif_rotation = true;
  /// The most pixels of an image, 1 to 2^30. A larger one is an error before its memory is taken. Reading takes at
  /// most 64 bytes of memory for each pixel that this allows, and twice the file; docs/image-formats.md has the
  /// figures.
  std::uint64_t max_pixels = std::uint64_t{1} << 28;
  InputRange range = InputRange::image;
  /// Values that become 0 and full scale, in place of `range`, as for images of a set that belongs together. Both 0: of
  /// `range`.
  double black = 0, white = 0;
  ReadWarning warning{};

  bool operator==(const ReadOptions&) const = default;
};

template <>
const OptionTable<ReadOptions>& option_table<ReadOptions>();

/// Throws Error(invalid_option), which names the option; also unless `black` is below `white` or both are 0.
void validate(const ReadOptions& options);

/// The range that the options choose, in words: "image", "full" or "0 to 4095".
std::string range_text(const ReadOptions& options);

}  // namespace octavo
