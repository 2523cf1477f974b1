// The headers of a JPEG 2000 code stream (ISO/IEC 15444-1, Annex A) as far as they tell how much work it is. Every tile
// has the markers SOT and SOD, 14 bytes in all. Every packet (one for each layer, resolution, channel and precinct of a
// tile) has a header of a byte or more. So a code stream that describes more of them than it has bytes is truncated or
// damaged. What the headers lack is left to OpenJPEG, which reports it.

#include "io/images/jpeg2000_work.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace octavo::io {
namespace {

constexpr std::uint32_t size_marker = 0xFF51, coding_marker = 0xFF52, channel_coding_marker = 0xFF53,
                        tile_marker = 0xFF90, data_marker = 0xFF93;

/// The big-endian number at an offset; 0 beyond the end.
std::uint64_t big_endian_at(Bytes bytes, std::uint64_t offset, std::size_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) return 0;
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < size; ++i) number = number << 8 | std::to_integer<std::uint64_t>(bytes[offset + i]);
  return number;
}

/// The code stream in the boxes of a JP2 file (Annex I), or the whole file if it has none; empty if there is none.
Bytes code_stream_of(Bytes file) {
  if (big_endian_at(file, 0, 2) == 0xFF4F) return file;
  for (std::uint64_t at = 0; at + 8 <= file.size();) {
    std::uint64_t length = big_endian_at(file, at, 4), header = 8;
    if (length == 1) {
      length = big_endian_at(file, at + 8, 8);
      header = 16;
    }
    if (length == 0 || length > file.size() - at) length = file.size() - at;
    if (length < header) break;
    if (std::memcmp(file.data() + at + 4, "jp2c", 4) == 0) return file.subspan(at + header, length - header);
    at += length;
  }
  return {};
}

struct Area {
  std::uint64_t width = 0, height = 0;
};

class CodeStream {
 public:
  explicit CodeStream(Bytes bytes) : bytes_(bytes) {}

  void check(std::uint64_t max_pixels) {
    constexpr std::size_t whole = 42;
    if (bytes_.size() < whole || big_endian_at(bytes_, 2, 2) != size_marker) return;
    right_ = big_endian_at(bytes_, 8, 4);
    bottom_ = big_endian_at(bytes_, 12, 4);
    left_ = big_endian_at(bytes_, 16, 4);
    top_ = big_endian_at(bytes_, 20, 4);
    tile_ = {big_endian_at(bytes_, 24, 4), big_endian_at(bytes_, 28, 4)};
    tile_left_ = big_endian_at(bytes_, 32, 4);
    tile_top_ = big_endian_at(bytes_, 36, 4);
    channels_ = big_endian_at(bytes_, 40, 2);
    const bool is_sound = left_ < right_ && top_ < bottom_ && tile_left_ <= left_ && tile_top_ <= top_ &&
                          tile_.width > 0 && tile_.height > 0;
    if (!is_sound) return;
    check_size(right_ - left_, bottom_ - top_, max_pixels);
    if (channels_ < 1 || channels_ > 4) {
      throw DecodeError("it is a JPEG 2000 image of a kind that is not read: it has " + std::to_string(channels_) +
                        " channels, the range is 1 to 4");
    }
    columns_ = (right_ - tile_left_ - 1) / tile_.width + 1;
    const std::uint64_t tiles = columns_ * ((bottom_ - tile_top_ - 1) / tile_.height + 1);
    if (tiles > bytes_.size() / 14) throw DecodeError("the JPEG 2000 data are truncated");
    // OpenJPEG takes some 10 kB for each tile.
    if (tiles > 64 + (right_ - left_) * (bottom_ - top_) / 1024) {
      throw DecodeError("it is a JPEG 2000 image of a kind that is not read: its tiles are below 32 × 32 pixels");
    }
    check_packets();
  }

 private:
  /// Goes through the markers of the main header and of those of the tiles.
  void check_packets() const {
    Area area{right_ - left_, bottom_ - top_};
    std::uint64_t part_end = 0;  // of a tile's data
    for (std::uint64_t at = 2; at + 4 <= bytes_.size();) {
      const std::uint64_t marker = big_endian_at(bytes_, at, 2);
      if (marker == data_marker) {
        at = std::max(part_end, at + 2);
        continue;
      }
      if (marker == tile_marker) {
        area = area_of_tile(big_endian_at(bytes_, at + 4, 2));
        const std::uint64_t length = big_endian_at(bytes_, at + 6, 4);
        part_end = length == 0 ? bytes_.size() : at + length;
      }
      if (marker == coding_marker) check_coding(at + 4, area, big_endian_at(bytes_, at + 6, 2), channels_, at + 9);
      if (marker == channel_coding_marker) check_coding(at + 5, area, 1, 1, at + 6);
      at += 2 + std::max<std::uint64_t>(big_endian_at(bytes_, at + 2, 2), 2);
    }
  }

  /// The part of the image that a tile covers.
  [[nodiscard]] Area area_of_tile(std::uint64_t index) const {
    const std::uint64_t x = tile_left_ + index % columns_ * tile_.width;
    const std::uint64_t y = tile_top_ + index / columns_ * tile_.height;
    const std::uint64_t x0 = std::max(x, left_), x1 = std::min(x + tile_.width, right_);
    const std::uint64_t y0 = std::max(y, top_), y1 = std::min(y + tile_.height, bottom_);
    return {x1 > x0 ? x1 - x0 : 0, y1 > y0 ? y1 - y0 : 0};
  }

  /// `style` is the offset of the byte that says whether sizes of precincts follow, `levels` that of the number of
  /// decompositions. The count leaves out precincts that are cut, so that it is never too high.
  void check_coding(std::uint64_t style, const Area& area, std::uint64_t layers, std::uint64_t channels,
                    std::uint64_t levels) const {
    const std::uint64_t decompositions = std::min<std::uint64_t>(big_endian_at(bytes_, levels, 1), 32);
    const bool has_sizes = (big_endian_at(bytes_, style, 1) & 1) != 0;
    std::uint64_t precincts = 0;
    for (std::uint64_t i = 0; i <= decompositions; ++i) {
      const std::uint64_t size = has_sizes ? big_endian_at(bytes_, levels + 5 + i, 1) : 0xFF;
      const std::uint64_t across = area.width >> (decompositions - i) >> (size & 15);
      const std::uint64_t down = area.height >> (decompositions - i) >> (size >> 4);
      precincts += std::max<std::uint64_t>(across * down, 1);
    }
    if (precincts * layers * channels > bytes_.size()) throw DecodeError("the JPEG 2000 data are truncated");
  }

  Bytes bytes_;
  std::uint64_t left_ = 0, top_ = 0, right_ = 0, bottom_ = 0;
  Area tile_;
  std::uint64_t tile_left_ = 0, tile_top_ = 0, columns_ = 1, channels_ = 0;
};

}  // namespace

void check_jpeg2000_work(Bytes file, std::uint64_t max_pixels) { CodeStream(code_stream_of(file)).check(max_pixels); }

}  // namespace octavo::io
