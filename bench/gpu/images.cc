#include "bench/gpu/images.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "octavo/image.h"

namespace octavo::bench {

Image read_pgm(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string magic;
  int width = 0, height = 0, top = 0;
  in >> magic >> width >> height >> top;
  in.get();
  if (!in || magic != "P5" || top != 255) throw std::runtime_error(file + " is no binary PGM of 8 bits");
  Image image(width, height, 1, PixelType::u8);
  for (int y = 0; y < height; ++y) in.read(reinterpret_cast<char*>(image.row(y)), width);
  if (!in) throw std::runtime_error(file + " ends too early");
  return image;
}

std::vector<Image> moved_round(const ImageView& image, int count) {
  std::vector<Image> copies;
  for (int i = 0; i < count; ++i) {
    const int dx = i * 97 % image.width, dy = i * 61 % image.height;
    Image& copy = copies.emplace_back(image.width, image.height, 1, PixelType::u8);
    for (int y = 0; y < image.height; ++y) {
      const std::byte* row = image.row((y + dy) % image.height);
      std::rotate_copy(row, row + dx, row + image.width, copy.row(y));
    }
  }
  return copies;
}

}  // namespace octavo::bench
