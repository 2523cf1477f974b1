// Describes points that SIFT does not find: a grid over an image, with the orientations of the image.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "octavo/extractor.h"
#include "octavo/sift_options.h"

int main() {
  constexpr std::size_t kWidth = 320, kHeight = 240;
  std::vector<std::uint8_t> grey(kWidth * kHeight);  // a board of squares of 20 pixels, lighter to the right
  for (std::size_t y = 0; y < kHeight; ++y) {
    for (std::size_t x = 0; x < kWidth; ++x) {
      grey[y * kWidth + x] = static_cast<std::uint8_t>((x / 20 + y / 20) % 2 * (64 + x / 2));
    }
  }
  const octavo::ImageView image{.data = grey.data(), .width = kWidth, .height = kHeight, .stride = kWidth};

  std::vector<octavo::Keypoint> grid;
  for (int y = 8; y < 240; y += 16) {
    for (int x = 8; x < 320; x += 16) {
      grid.push_back({.x = static_cast<float>(x), .y = static_cast<float>(y), .scale = 3.2f});
    }
  }
  octavo::Extractor extractor({}, {.threads = 1});
  const octavo::Description found = extractor.describe(image, grid, octavo::OrientationFrom::image);
  std::printf("%zu descriptors of %zu points\n", found.features.size(), grid.size());
  for (const octavo::LeftOut& one : found.left_out) {
    std::printf("point %zu %s\n", one.input, octavo::sentence_of(one.reason).c_str());
  }
  for (std::size_t row = 0; row < 3 && row < found.inputs.size(); ++row) {
    std::printf("row %zu describes point %zu\n", row, found.inputs[row]);
  }
  return found.features.size() + found.left_out.size() >= grid.size() ? 0 : 1;
}
