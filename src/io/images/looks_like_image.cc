// The file name endings of images, which distinguish the images of a folder from its other files.

#include <algorithm>
#include <array>
#include <string_view>

#include "io/files/ending.h"
#include "octavo/io/image_formats.h"

namespace octavo {

std::span<const std::string_view> image_endings() {
  static constexpr std::array<std::string_view, 20> endings = {
      ".jpg", ".jpeg", ".jpe", ".jfif", ".png",  ".tif", ".tiff", ".webp", ".bmp", ".gif",
      ".pgm", ".ppm",  ".pnm", ".heic", ".heif", ".hif", ".avif", ".jp2",  ".j2k", ".j2c"};
  return endings;
}

bool looks_like_image(const std::filesystem::path& file) {
  const std::span<const std::string_view> endings = image_endings();
  return std::find(endings.begin(), endings.end(), io::ending_of(file)) != endings.end();
}

}  // namespace octavo
