// Netpbm's PGM ("P5") and PPM ("P6"): a header in text, then bytes, or big-endian pairs of 16 bits.

#include <cstdint>
#include <cstring>
#include <string>

#include "io/images/encoders.h"

namespace octavo::io {

std::vector<std::byte> encode_pnm(const ImageView& image) {
  const bool is_wide = image.type == PixelType::u16;
  const std::string header = std::string(image.channels == 1 ? "P5" : "P6") + "\n" + std::to_string(image.width) + " " +
                             std::to_string(image.height) + "\n" + (is_wide ? "65535" : "255") + "\n";
  const std::size_t samples = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.channels);
  const std::size_t row_size = samples * bytes_of(image.type);
  std::vector<std::byte> file(header.size() + row_size * static_cast<std::size_t>(image.height));
  std::memcpy(file.data(), header.data(), header.size());
  std::byte* out = file.data() + header.size();
  for (int y = 0; y < image.height; ++y, out += row_size) {
    const std::byte* in = image.row(y);
    std::memcpy(out, in, row_size);
    if (!is_wide) continue;
    for (std::size_t i = 0; i < samples; ++i) {
      std::uint16_t sample = 0;
      std::memcpy(&sample, in + 2 * i, sizeof sample);
      out[2 * i] = static_cast<std::byte>(sample >> 8);
      out[2 * i + 1] = static_cast<std::byte>(sample & 255);
    }
  }
  return file;
}

}  // namespace octavo::io
