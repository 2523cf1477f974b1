#pragma once

#include <cstdint>

#include "io/images/decode_error.h"

namespace octavo::io {

/// [pixel] The most that libheif may visit. An image is coded in tiles and drawn on a canvas, and so is its alpha
/// channel. Tiles reach beyond the edges.
constexpr std::uint64_t most_heif_pixels(std::uint64_t max_pixels) {
  constexpr std::uint64_t most_visits = 8, beyond_edges = 1 << 22;
  return most_visits * max_pixels + beyond_edges;
}

/// Throws DecodeError if libheif would visit many more than `max_pixels` pixels to decode the primary image of a
/// HEIC or AVIF file, or would never end. It checks sizes only after it has allocated memory for them.
void check_heif_work(Bytes file, std::uint64_t max_pixels);

}  // namespace octavo::io
