// A program of another project that uses the engine alone, without image files or OpenCV. It finds the corners of a
// white square on black, matches the image with itself, and expects each feature to match itself.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <vector>

#include "octavo/batch.h"
#include "octavo/extractor.h"
#include "octavo/matcher.h"

int main() {
  constexpr std::ptrdiff_t kSize = 64;
  std::vector<std::byte> pixels(kSize * kSize, std::byte{0});
  for (std::ptrdiff_t y = 20; y < 44; ++y) std::fill_n(pixels.begin() + y * kSize + 20, 24, std::byte{255});
  const octavo::ImageView image{.data = pixels.data(),
                                .width = kSize,
                                .height = kSize,
                                .channels = 1,
                                .type = octavo::PixelType::u8,
                                .stride = kSize};

  octavo::Extractor extractor;
  const octavo::Features features = extractor.extract(image);
  const std::vector<octavo::Match> matches = octavo::Matcher({.ratio = 1}).match(features, features);
  std::printf("%zu features, %zu matches\n", features.size(), matches.size());
  const bool each_finds_its_like =
      std::all_of(matches.begin(), matches.end(), [](const octavo::Match& m) { return m.distance2 == 0; });
  octavo::Batch batch(
      extractor, {{"a small one", [] { return octavo::LoadedImage{octavo::Image(8, 8, 1, octavo::PixelType::u8)}; }}});
  const std::optional<octavo::BatchResult> small = batch.next();
  const bool batch_works = small && !small->failure && !batch.next();
  return features.size() > 0 && !matches.empty() && each_finds_its_like && batch_works ? 0 : 1;
}
