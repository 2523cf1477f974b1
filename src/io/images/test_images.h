#pragma once

// Shared parts of this folder's tests: the images of testdata (see make_testdata.py) and a folder for output.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/test_folder.h"
#include "octavo/image.h"

namespace octavo::io::test {

/// The gradient that every image of testdata shows.
constexpr int width = 13, height = 9;
constexpr int red(int x) { return 10 + 15 * x; }
constexpr int green(int y) { return 20 + 20 * y; }
constexpr int blue(int x, int y) { return 8 * (x + y); }
constexpr int alpha(int y) { return 255 - 10 * y; }

inline std::filesystem::path testdata(std::string_view name) { return std::filesystem::path(OCTAVO_TESTDATA) / name; }

/// A sample in units of its type.
inline double sample(const Image& image, int x, int y, int c) {
  const std::byte* row = image.row(y);
  const int i = x * image.channels() + c;
  switch (image.type()) {
    case PixelType::u8:
      return reinterpret_cast<const std::uint8_t*>(row)[i];
    case PixelType::u16:
      return reinterpret_cast<const std::uint16_t*>(row)[i];
    case PixelType::f32:
      break;
  }
  return reinterpret_cast<const float*>(row)[i];
}

/// The library that reads this image of testdata, if Octavo was built without it.
inline std::string missing_library(const std::filesystem::path& name) {
  const std::string ending = name.extension().string();
  if (!OCTAVO_HAS_GIFLIB && ending == ".gif") return "giflib";
  if (!OCTAVO_HAS_LIBHEIF && (ending == ".heic" || ending == ".avif")) return "libheif";
  if (!OCTAVO_HAS_OPENJPEG && (ending == ".jp2" || ending == ".j2k")) return "OpenJPEG";
  return {};
}

inline std::vector<std::byte> bytes_of_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

inline void write_bytes(const std::filesystem::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

/// A test with an empty folder of its own.
class FolderTest : public testing::Test {
 protected:
  const TestFolder folder_;
};

}  // namespace octavo::io::test
