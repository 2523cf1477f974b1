// The engine alone, without OpenCV: features of pixels that are already in memory, matched with themselves.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "octavo/extractor.h"
#include "octavo/matcher.h"
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

  octavo::Extractor extractor(octavo::preset("opencv"), {.threads = 1});
  const octavo::Features features = extractor.extract(image);
  octavo::Matcher matcher({.ratio = 1}, {.threads = 1});
  const std::vector<octavo::Match> matches = matcher.match(features, features);
  std::printf("%zu features on %s (%s), %zu matches\n", features.size(), extractor.device().c_str(),
              extractor.isa().c_str(), matches.size());
  return features.size() > 0 && !matches.empty() ? 0 : 1;
}
