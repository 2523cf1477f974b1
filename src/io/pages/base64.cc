// Three bytes become four characters of six bits each.

#include "io/pages/base64.h"

#include <cstdint>
#include <string_view>

namespace octavo {

std::string base64(std::span<const std::byte> bytes) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (i + k < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
    }
    const std::size_t characters = bytes.size() - i >= 3 ? 4 : bytes.size() - i + 1;
    for (std::size_t k = 0; k < 4; ++k) text += k < characters ? alphabet[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

}  // namespace octavo
