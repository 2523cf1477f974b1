#pragma once

// One decoder per file format, all alike: the bytes of a file in, the stored pixels out. Each is strict, so that a
// file cut short or damaged is an error and never a picture with grey patches, and each is silent.

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "octavo/image.h"

namespace octavo::imageio {

using Bytes = std::span<const std::byte>;

/// Why bytes are not a picture, as the end of a sentence: "the PNG data are truncated". The caller knows the file's
/// name.
class DecodeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A picture as it is stored, and how to turn it: EXIF's orientation, 1…8, where 1 is upright.
struct Decoded {
  Image image;
  int orientation = 1;
};

Decoded decode_jpeg(Bytes file);
Decoded decode_png(Bytes file);
Decoded decode_tiff(Bytes file);
Decoded decode_webp(Bytes file);
Decoded decode_pnm(Bytes file);

/// Throws DecodeError for a picture without pixels or with more than 2^30, before memory is taken for it.
void check_size(std::uint64_t width, std::uint64_t height);

}  // namespace octavo::imageio
