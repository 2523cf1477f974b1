// The header of an ICC profile (ICC.1:2010, §7.2): its size, its colours, its signature.

#include "io/images/icc_profile.h"

#include <cstdint>
#include <string_view>

namespace octavo::io {

ProfileColours colours_of_profile(std::span<const std::byte> profile) {
  constexpr std::size_t header = 128;
  if (profile.size() < header) return ProfileColours::other;
  const std::string_view text(reinterpret_cast<const char*>(profile.data()), header);
  std::uint32_t size = 0;
  for (const char byte : text.substr(0, 4)) size = size << 8 | static_cast<unsigned char>(byte);
  if (size != profile.size() || text.substr(36, 4) != "acsp") return ProfileColours::other;
  const std::string_view colours = text.substr(16, 4);
  return colours == "RGB " ? ProfileColours::rgb : colours == "GRAY" ? ProfileColours::grey : ProfileColours::other;
}

}  // namespace octavo::io
