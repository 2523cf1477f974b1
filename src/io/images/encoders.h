#pragma once

// One encoder per file format, all with the same interface: they turn pixels into the bytes of a file. None of them
// prints anything. Each throws std::bad_alloc if there is not enough memory.

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "octavo/image_view.h"
#include "octavo/io/image_formats.h"

namespace octavo::io {

/// The reason why a format cannot hold an image, as the end of a sentence. The caller adds the name of the file.
class EncodeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// u8 or u16 of 1, 3 or 4 channels.
std::vector<std::byte> encode_png(const ImageView& image, const ImageMetadata& metadata = {});

/// u8 of 1 or 3 channels, at most 65500 pixels a side. `quality` is libjpeg's, 1…100.
std::vector<std::byte> encode_jpeg(const ImageView& image, int quality, const ImageMetadata& metadata = {});

/// u8, u16 or f32 of 1, 3 or 4 channels.
std::vector<std::byte> encode_tiff(const ImageView& image, const ImageMetadata& metadata = {});

/// u8 of 3 or 4 channels, at most 16383 pixels a side, without loss.
std::vector<std::byte> encode_webp(const ImageView& image);

/// u8 or u16 of 1 channel (PGM) or 3 (PPM).
std::vector<std::byte> encode_pnm(const ImageView& image);

}  // namespace octavo::io
