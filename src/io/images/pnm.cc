// Netpbm's PGM and PPM: "P2" and "P3" are text, "P5" and "P6" are bytes, big-endian pairs where the largest value is
// above 255. Any largest value (10-bit cameras write 1023) is scaled to the full range of 8 or 16 bits.

#include <string>

#include "io/images/decoders.h"
#include "io/images/full_range.h"

namespace octavo::io {
namespace {

class PnmReader {
 public:
  explicit PnmReader(Bytes file) : rest_(file.subspan(2)), kind_(std::to_integer<char>(file[1])) {}

  Decoded read(std::uint64_t max_pixels) {
    const std::uint64_t width = header_number();
    const std::uint64_t height = header_number();
    check_size(width, height, max_pixels);
    largest_ = header_number();
    if (largest_ < 1 || largest_ > 65535) {
      throw DecodeError("its largest sample value is " + std::to_string(largest_) + ", the range is 1 to 65535");
    }
    const int channels = kind_ == '3' || kind_ == '6' ? 3 : 1;
    const std::size_t samples = width * height * static_cast<std::size_t>(channels);
    const std::size_t wide = largest_ > 255 ? 2 : 1;
    if (is_text()) {
      if (rest_.size() < 2 * samples) throw truncated();  // a digit and a separator
    } else {
      take();  // a single white space ends the header
      if (rest_.size() < wide * samples) throw truncated();
    }

    Image image(static_cast<int>(width), static_cast<int>(height), channels,
                wide == 2 ? PixelType::u16 : PixelType::u8);
    for (int y = 0; y < image.height(); ++y) {
      std::byte* row = image.row(y);
      for (int i = 0; i < image.width() * channels; ++i) {
        if (wide == 2) {
          reinterpret_cast<std::uint16_t*>(row)[i] = static_cast<std::uint16_t>(sample(2));
        } else {
          row[i] = static_cast<std::byte>(sample(1));
        }
      }
    }
    return {std::move(image)};
  }

 private:
  static DecodeError truncated() { return DecodeError("the PGM or PPM data are truncated"); }

  [[nodiscard]] bool is_text() const { return kind_ == '2' || kind_ == '3'; }

  std::uint32_t take() {
    if (rest_.empty()) throw truncated();
    const auto value = std::to_integer<std::uint32_t>(rest_.front());
    rest_ = rest_.subspan(1);
    return value;
  }

  /// The next number in text, comments ("#" to the end of the line) being skipped.
  std::uint32_t header_number() {
    std::uint32_t c = take();
    while (c == ' ' || (c >= '\t' && c <= '\r') || c == '#') {
      if (c == '#') {
        while (c != '\n') c = take();
      }
      c = take();
    }
    std::uint32_t value = 0;
    if (c < '0' || c > '9') throw DecodeError("the PGM or PPM data hold something else where a number should be");
    for (;;) {
      value = value * 10 + (c - '0');
      if (value > 0x7FFFFFF) throw DecodeError("the PGM or PPM data hold a number that is too large");
      if (rest_.empty() || rest_.front() < std::byte{'0'} || rest_.front() > std::byte{'9'}) return value;
      c = take();
    }
  }

  std::uint32_t sample(std::size_t wide) {
    std::uint32_t value = 0;
    if (is_text()) {
      value = header_number();
    } else {
      value = take();
      if (wide == 2) value = value << 8 | take();
    }
    if (value > largest_) {
      throw DecodeError("it holds the sample " + std::to_string(value) + ", above its largest value " +
                        std::to_string(largest_));
    }
    const std::uint32_t full = wide == 2 ? 65535 : 255;
    return to_full_range(value, largest_, full);
  }

  Bytes rest_;
  char kind_;
  std::uint32_t largest_ = 0;
};

}  // namespace

Decoded decode_pnm(Bytes file, std::uint64_t max_pixels) { return PnmReader(file).read(max_pixels); }

}  // namespace octavo::io
