// Extracts an image of hundreds of megapixels on a GPU. If the memory suffices, the features are right. If not, there
// is a clear error, and the extractor stays usable.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include "bench/peers/timing.h"
#include "engine/selftest/images.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/image.h"
#include "octavo/sift_options.h"

namespace {

// An image made of copies of a small image.
octavo::Image tiled(int width, int height) {
  const octavo::Image tile = octavo::images::blobs(509, 503);
  octavo::Image image(width, height, 1, octavo::PixelType::u8);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; x += tile.width()) {
      std::copy_n(tile.row(y % tile.height()), std::min(tile.width(), width - x), image.row(y) + x);
    }
  }
  return image;
}

bool is_refused_and_does_not_harm(const octavo::Image& image, const std::string& device, std::size_t memory) {
  octavo::Extractor extractor({}, {.name = device, .gpu_memory = memory});
  try {
    extractor.extract(image.view());
    fmt::print("{} took the image within {} bytes\n", device, memory);
    return false;
  } catch (const octavo::Error& e) {
    fmt::print("within {} bytes: {}\n", memory, e.what());
    if (e.code() != octavo::ErrorCode::out_of_memory) return false;
  }
  const octavo::Image small = octavo::images::blobs(640, 480);
  const octavo::Features expected = octavo::Extractor({}, {.name = "cpu"}).extract(small.view());
  const bool same = extractor.extract(small.view()) == expected;
  fmt::print("then a small image: {}\n", same ? "the same as on the CPU" : "WRONG");
  return same;
}

bool is_extracted(const octavo::Image& image, const std::string& device, bool compare_with_cpu) {
  octavo::Extractor extractor({}, {.name = device});
  octavo::Features found;
  const auto extract = [&] { found = extractor.extract(image.view()); };
  const double first = octavo::bench::milliseconds(extract), second = octavo::bench::milliseconds(extract);
  fmt::print("without a limit: {} keypoints, {:.1f} ms, then {:.1f} ms\n", found.size(), first, second);
  if (!compare_with_cpu) return true;
  const bool same = found == octavo::Extractor({}, {.name = "cpu"}).extract(image.view());
  fmt::print("{}\n", same ? "the same as on the CPU" : "WRONG");
  return same;
}

}  // namespace

int main(int argc, char** argv) try {
  std::string device = "cuda:0";
  double megapixels = 200;
  std::size_t gpu_memory = 4096;
  bool without_limit = false, compare_with_cpu = false;
  CLI::App app("Octavo's SIFT of an enormous image on a GPU");
  app.add_option("--device", device, "a GPU, as cuda:0");
  app.add_option("--megapixels", megapixels)->check(CLI::Range(0.1, 2000.0));
  app.add_option("--gpu-memory", gpu_memory, "the limit, which must be too little for the image [MiB]");
  app.add_flag("--without-limit", without_limit, "then extract it, about 150 bytes of the device for each pixel");
  app.add_flag("--compare-with-cpu", compare_with_cpu, "then on the CPU too, about 70 bytes for each pixel");
  CLI11_PARSE(app, argc, argv);

  const int height = static_cast<int>(std::sqrt(megapixels * 1e6 * 3 / 4));
  const octavo::Image image = tiled(height / 3 * 4, height);
  fmt::print("{}x{} on {}\n", image.width(), image.height(), device);
  const bool refused = is_refused_and_does_not_harm(image, device, gpu_memory << 20);
  const bool extracted = !(without_limit || compare_with_cpu) || is_extracted(image, device, compare_with_cpu);
  return refused && extracted ? 0 : 1;
} catch (const std::exception& e) {
  fmt::print(stderr, "{}\n", e.what());
  return 1;
}
