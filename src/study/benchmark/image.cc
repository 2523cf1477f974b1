// The images of a comparison of times.

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/selftest/images.h"
#include "io/images/resize.h"
#include "octavo/io/image_files.h"
#include "study/benchmark/benchmark.h"

namespace octavo {
namespace {

std::string bits_of(PixelType type) {
  return type == PixelType::u8 ? "8 bits" : type == PixelType::u16 ? "16 bits" : "32-bit floats";
}

}  // namespace

BenchmarkImage benchmark_image(std::string name, Image image) {
  const auto shared = std::make_shared<const Image>(std::move(image));  // a std::function can be copied
  const int channels = shared->channels();
  return {.name = std::move(name),
          .pixels = fmt::format("{} channel{}, {}", channels, channels == 1 ? "" : "s", bits_of(shared->type())),
          .in_size = [shared](ImageSize size) { return resize_and_crop(shared->view(), size); }};
}

BenchmarkImage benchmark_image(std::string name, const std::filesystem::path& file, const ReadOptions& read) {
  return benchmark_image(std::move(name), read_image(file, read));
}

BenchmarkImage benchmark_chessboard() {
  return {.name = "chessboard", .pixels = "1 channel, 8 bits", .in_size = [](ImageSize size) {
            return images::checkerboard(size.width, size.height, std::max(size.height / 8, 1));
          }};
}

}  // namespace octavo
