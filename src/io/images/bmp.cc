// Windows bitmaps (Microsoft's BITMAPFILEHEADER and what follows it): 1, 4 and 8 bits with a palette, plain or as runs
// (RLE8, RLE4), and 16, 24 and 32 bits, whose colours may be in any bits of the pixel. Rows begin at the bottom unless
// the height is negative. A palette of greys becomes grey. docs/image-formats.md says why the reader is Octavo's own.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "io/images/decoders.h"
#include "io/images/full_range.h"

namespace octavo::io {
namespace {

enum Compression : std::uint32_t { rgb = 0, rle8 = 1, rle4 = 2, bit_fields = 3, alpha_bit_fields = 6 };

DecodeError truncated() { return DecodeError("the BMP data are truncated"); }
DecodeError damaged() { return DecodeError("the BMP data are damaged"); }

[[noreturn]] void refuse_kind(const std::string& why) {
  throw DecodeError("it is a BMP of a kind that is not read: " + why);
}

/// A little-endian number at an offset of the file.
std::uint32_t little_endian_at(Bytes file, std::uint64_t offset, std::size_t size) {
  if (offset + size > file.size()) throw truncated();
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < size; ++i) number |= std::to_integer<std::uint32_t>(file[offset + i]) << 8 * i;
  return number;
}

/// The bits of a pixel that hold one of its channels.
struct Field {
  std::uint32_t mask = 0;

  [[nodiscard]] std::byte of(std::uint32_t pixel) const {
    if (mask == 0) return std::byte{0};
    const int shift = std::countr_zero(mask);
    return static_cast<std::byte>(to_full_range((pixel & mask) >> shift, mask >> shift, 255));
  }
};

class BmpReader {
 public:
  explicit BmpReader(Bytes file) : file_(file) {}

  Decoded read(std::uint64_t max_pixels) {
    read_header();
    check_size(width_, height_, max_pixels);
    const bool runs = compression_ == rle8 || compression_ == rle4;
    if (!runs) check_complete();
    if (bits_ <= 8) {
      read_palette();
      return {runs ? of_runs() : of_indices()};
    }
    return {of_fields()};
  }

 private:
  [[nodiscard]] std::uint32_t number(std::uint64_t offset, std::size_t size) const {
    return little_endian_at(file_, offset, size);
  }

  void read_header() {
    constexpr std::uint64_t header = 14;  // behind the header of the file
    pixels_at_ = number(10, 4);
    header_size_ = number(header, 4);
    const bool is_old = header_size_ == 12;  // of OS/2 1 and Windows 2
    std::int64_t height = 0;
    if (is_old) {
      width_ = number(header + 4, 2);
      height = number(header + 6, 2);
      bits_ = number(header + 10, 2);
    } else {
      const auto width = static_cast<std::int32_t>(number(header + 4, 4));
      if (width < 0) throw damaged();
      width_ = static_cast<std::uint64_t>(width);
      height = static_cast<std::int32_t>(number(header + 8, 4));
      bits_ = number(header + 14, 2);
      compression_ = number(header + 16, 4);
      colours_ = number(header + 32, 4);
    }
    from_top_ = height < 0;
    height_ = static_cast<std::uint64_t>(std::abs(height));
    palette_at_ = header + header_size_;
    colour_size_ = is_old ? 3 : 4;
    // The bits of a pixel that a compression may have.
    constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 12> known{{{rgb, 1},
                                                                             {rgb, 4},
                                                                             {rgb, 8},
                                                                             {rgb, 16},
                                                                             {rgb, 24},
                                                                             {rgb, 32},
                                                                             {rle8, 8},
                                                                             {rle4, 4},
                                                                             {bit_fields, 16},
                                                                             {bit_fields, 32},
                                                                             {alpha_bit_fields, 16},
                                                                             {alpha_bit_fields, 32}}};
    if (std::ranges::find(known, std::pair(compression_, bits_)) == known.end()) {
      refuse_kind(std::to_string(bits_) + " bits with compression " + std::to_string(compression_));
    }
    if (bits_ >= 16) read_fields(compression_ == bit_fields || compression_ == alpha_bit_fields);
  }

  void read_fields(bool are_given) {
    if (!are_given) {
      const std::array<std::uint32_t, 3> usual =
          bits_ == 16 ? std::array{0x7C00u, 0x3E0u, 0x1Fu} : std::array{0xFF0000u, 0xFF00u, 0xFFu};
      for (std::size_t c = 0; c < 3; ++c) fields_[c].mask = usual[c];
      return;
    }
    constexpr std::uint64_t fields_at = 54;  // behind the first 40 bytes of the header, or as a part of it
    const std::size_t count = compression_ == alpha_bit_fields || header_size_ >= 56 ? 4 : 3;
    for (std::size_t c = 0; c < count; ++c) {
      const std::uint32_t mask = number(fields_at + 4 * c, 4);
      const std::uint32_t ones = mask >> std::countr_zero(mask | 1u << 31);
      if ((ones & (ones + 1)) != 0 || std::popcount(mask) > 16)
        refuse_kind("the bits of a colour are not in a row of 16");
      fields_[c].mask = mask;
    }
  }

  /// [byte] of a row, without what fills it up to a multiple of four.
  [[nodiscard]] std::uint64_t row_size() const { return (width_ * bits_ + 7) / 8; }
  [[nodiscard]] std::uint64_t row_step() const { return (row_size() + 3) / 4 * 4; }

  /// Refuses a file that does not hold every row. Some programs leave out the bytes that fill up the last one.
  void check_complete() const {
    if (pixels_at_ + row_step() * (height_ - 1) + row_size() > file_.size()) throw truncated();
  }

  /// The y-th row of the image in the order of the file, seen from the top.
  [[nodiscard]] int place(std::uint64_t y) const { return static_cast<int>(from_top_ ? y : height_ - 1 - y); }

  void read_palette() {
    const std::uint32_t most = 1u << bits_;
    const std::uint32_t count = colours_ == 0 ? most : std::min(colours_, most);
    palette_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t at = palette_at_ + std::uint64_t{i} * colour_size_;
      for (std::size_t c = 0; c < 3; ++c) palette_[i][2 - c] = static_cast<std::byte>(number(at + c, 1));
    }
    is_grey_ = std::all_of(palette_.begin(), palette_.end(),
                           [](const auto& colour) { return colour[0] == colour[1] && colour[1] == colour[2]; });
  }

  [[nodiscard]] Image empty_image() const {
    const int channels = bits_ <= 8 ? (is_grey_ ? 1 : 3) : fields_[3].mask != 0 ? 4 : 3;
    return {static_cast<int>(width_), static_cast<int>(height_), channels, PixelType::u8};
  }

  void set(Image& image, std::uint64_t x, int y, std::uint32_t index) const {
    if (index >= palette_.size()) throw damaged();
    const auto channels = static_cast<std::size_t>(image.channels());
    std::copy_n(palette_[index].begin(), channels, image.row(y) + x * channels);
  }

  [[nodiscard]] Image of_indices() const {
    Image image = empty_image();
    const std::uint32_t per_byte = 8 / bits_;
    for (std::uint64_t y = 0; y < height_; ++y) {
      const std::byte* row = file_.data() + pixels_at_ + y * row_step();
      for (std::uint64_t x = 0; x < width_; ++x) {
        const auto byte = std::to_integer<std::uint32_t>(row[x / per_byte]);
        const auto shift = static_cast<std::uint32_t>(8 - bits_ * (x % per_byte + 1));
        set(image, x, place(y), byte >> shift & ((1u << bits_) - 1));
      }
    }
    return image;
  }

  [[nodiscard]] Image of_fields() const {
    Image image = empty_image();
    const std::size_t size = bits_ / 8;
    for (std::uint64_t y = 0; y < height_; ++y) {
      std::uint64_t at = pixels_at_ + y * row_step();
      std::byte* out = image.row(place(y));
      for (std::uint64_t x = 0; x < width_; ++x, at += size) {
        const std::uint32_t pixel = number(at, size);
        for (std::size_t c = 0; c < static_cast<std::size_t>(image.channels()); ++c) *out++ = fields_[c].of(pixel);
      }
    }
    return image;
  }

  /// The value of the i-th pixel of a run: with four bits the halves of the byte take turns.
  [[nodiscard]] std::uint32_t value_in(std::uint32_t byte, std::uint32_t i) const {
    return bits_ == 8 ? byte : i % 2 == 0 ? byte >> 4 : byte & 15;
  }

  /// Values as they are, in whole pairs of bytes from `at` on, which is moved behind them.
  void set_values(Image& image, std::uint64_t x, int row, std::uint32_t length, std::uint64_t& at) const {
    const std::uint32_t values_of_byte = bits_ == 8 ? 1 : 2;
    std::uint32_t byte = 0;
    for (std::uint32_t i = 0; i < length; ++i) {
      if (i % values_of_byte == 0) byte = number(at++, 1);
      set(image, x + i, row, value_in(byte, i));
    }
    const std::uint32_t bytes = (length + values_of_byte - 1) / values_of_byte;
    if (bytes % 2 == 1) std::ignore = number(at++, 1);  // it must be there
  }

  /// Runs: pairs of a count and a value, and, behind a 0, the ends of a row (0) and of the image (1), a step (2), and
  /// a number of values as they are (3 and more). What is stepped over has the colour 0.
  [[nodiscard]] Image of_runs() const {
    Image image = empty_image();
    for (int y = 0; y < image.height(); ++y) {
      for (std::uint64_t x = 0; x < width_; ++x) set(image, x, y, 0);
    }
    std::uint64_t at = pixels_at_, x = 0, y = 0;
    const auto take = [&] { return number(at++, 1); };
    while (y < height_) {
      const std::uint32_t count = take(), second = take();
      if (count > 0 || second > 2) {
        const std::uint32_t length = count > 0 ? count : second;
        if (length > width_ - x) throw damaged();
        if (count > 0) {
          for (std::uint32_t i = 0; i < length; ++i) set(image, x++, place(y), value_in(second, i));
        } else {
          set_values(image, x, place(y), length, at);
          x += length;
        }
      } else if (second == 0) {
        x = 0;
        ++y;
      } else if (second == 1) {
        return image;
      } else {
        x += take();
        y += take();
        if (x > width_ || y > height_) throw damaged();
      }
    }
    return image;
  }

  Bytes file_;
  std::uint64_t width_ = 0, height_ = 0;
  std::uint64_t pixels_at_ = 0, palette_at_ = 0;  ///< offsets in the file
  std::uint32_t header_size_ = 0, bits_ = 0, compression_ = rgb, colours_ = 0, colour_size_ = 4;
  bool from_top_ = false, is_grey_ = false;
  std::array<Field, 4> fields_{};  ///< of red, green, blue, alpha
  std::vector<std::array<std::byte, 3>> palette_;
};

}  // namespace

bool is_bmp(Bytes file) {
  if (file.size() < 18 || file[0] != std::byte{'B'} || file[1] != std::byte{'M'}) return false;
  constexpr std::array sizes{12u, 40u, 52u, 56u, 64u, 108u, 124u};
  return std::find(sizes.begin(), sizes.end(), little_endian_at(file, 14, 4)) != sizes.end();
}

Decoded decode_bmp(Bytes file, std::uint64_t max_pixels) { return BmpReader(file).read(max_pixels); }

}  // namespace octavo::io
