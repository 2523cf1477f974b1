#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "engine/core/internal_api.h"
#include "octavo/image_view.h"
#include "octavo/io/image_formats.h"

namespace OCTAVO_INTERNAL_API octavo {

/// Writes a TIFF image of any size in parts, in tiles of 512 × 512 pixels that Deflate compresses. From 2 GiB of
/// pixels on it is a BigTIFF, which has no limit of 4 GiB. A fourth channel is alpha that is not multiplied into the
/// colours. Memory is that of a tile. The file appears when finish() returns.
class TiledTiff {
 public:
  static constexpr int tile = 512;  ///< [pixel]

  /// Opens the file, of 1, 3 or 4 channels. Throws Error(file_error), Error(invalid_argument) for a size of 0 or above
  /// 2^31 − 1, or other channels.
  TiledTiff(const std::filesystem::path& file, std::uint64_t width, std::uint64_t height, int channels, PixelType type,
            const ImageMetadata& metadata = {});
  ~TiledTiff();
  TiledTiff(TiledTiff&&) noexcept;
  TiledTiff& operator=(TiledTiff&&) = delete;

  /// Writes a block whose first pixel is (x, y): multiples of `tile`. Its sides are multiples of `tile` too, but for
  /// the last of a row or column. Throws Error(invalid_argument) for another block, Error(file_error).
  void write(std::uint64_t x, std::uint64_t y, const ImageView& block);

  /// Writes the directory and gives the file its name. Throws Error(file_error).
  void finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace octavo
