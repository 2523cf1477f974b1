// Images for the self-test and the conformance tests, made by integer arithmetic so that they are the same
// everywhere.

#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "octavo/image.h"

namespace octavo::images {

/// The next number of a fixed sequence (PCG's multiplier and increment, high bits).
inline std::uint32_t next_random(std::uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<std::uint32_t>(state >> 33);
}

/// Blobs of many sizes over noise: many extrema on every octave. `channels` is 1…4.
inline Image blobs(int width, int height, PixelType type = PixelType::u8, int channels = 1, std::uint64_t seed = 1) {
  Image image(width, height, channels, type);
  std::uint64_t state = seed;
  struct Blob {
    int x, y, radius, height;
  };
  Blob blob[64];
  for (Blob& b : blob) {
    b = {static_cast<int>(next_random(state) % static_cast<std::uint32_t>(width)),
         static_cast<int>(next_random(state) % static_cast<std::uint32_t>(height)),
         2 + static_cast<int>(next_random(state) % 24), static_cast<int>(next_random(state) % 161) - 80};
  }
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      int value = 120 + static_cast<int>(next_random(state) % 9);
      for (const Blob& b : blob) {
        const int d2 = (x - b.x) * (x - b.x) + (y - b.y) * (y - b.y), r2 = b.radius * b.radius;
        if (d2 < r2) value += b.height * (r2 - d2) / r2;
      }
      value = value < 0 ? 0 : value > 255 ? 255 : value;
      for (int c = 0; c < channels; ++c) {
        const int shade = (value + 17 * c) % 256;
        const std::ptrdiff_t at = std::ptrdiff_t{x} * channels + c;
        if (type == PixelType::u8) {
          reinterpret_cast<std::uint8_t*>(image.row(y))[at] = static_cast<std::uint8_t>(shade);
        } else if (type == PixelType::u16) {
          reinterpret_cast<std::uint16_t*>(image.row(y))[at] =
              static_cast<std::uint16_t>(shade * 257 - (next_random(state) % 3 == 0 && shade > 0));
        } else {
          reinterpret_cast<float*>(image.row(y))[at] = static_cast<float>(shade) / 255.0f;
        }
      }
    }
  }
  return image;
}

/// Squares of `cell` pixels, which cause ties everywhere.
inline Image checkerboard(int width, int height, int cell) {
  Image image(width, height, 1, PixelType::u8);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) image.row(y)[x] = std::byte((x / cell + y / cell) % 2 * 255);
  }
  return image;
}

/// White noise, which has as many keypoints as an image can have.
inline Image noise(int width, int height, std::uint64_t seed = 7) {
  Image image(width, height, 1, PixelType::u8);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) image.row(y)[x] = std::byte(next_random(seed) & 255);
  }
  return image;
}

/// The same pixels in rows that start at odd addresses. The view points into `storage`.
inline ImageView unaligned(const Image& image, Image& storage) {
  const std::ptrdiff_t row_bytes = image.stride(), stride = row_bytes + 7;
  storage = Image(static_cast<int>(stride), image.height() + 1, 1, PixelType::u8);
  std::byte* start = storage.row(0) + 1;
  for (int y = 0; y < image.height(); ++y)
    std::memcpy(start + y * stride, image.row(y), static_cast<std::size_t>(row_bytes));
  ImageView view = image.view();
  view.data = start;
  view.stride = stride;
  return view;
}

}  // namespace octavo::images
