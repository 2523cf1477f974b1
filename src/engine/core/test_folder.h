#pragma once

// Where tests put their files. `ctest -j` runs programs, and groups of their cases, side by side, and two checkouts may
// be tested at a time: so the name of a folder is new each time, not that of a test.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <system_error>

namespace octavo {

/// A new, empty folder, which is removed at the end with all that is in it.
class TestFolder {
 public:
  TestFolder() : path(made()) {}
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::filesystem::path operator/(const std::filesystem::path& name) const { return path / name; }

  /// Writes a file and returns its path.
  std::filesystem::path write(const std::filesystem::path& name, std::string_view text) const {
    std::filesystem::path file = path / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

  /// The number of files and folders in it, not counting what is in those.
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path), {}));
  }

  /// Absolute, without links.
  const std::filesystem::path path;

 private:
  static std::filesystem::path made() {
    const std::filesystem::path place = std::filesystem::canonical(std::filesystem::temp_directory_path());
    for (std::random_device random;;) {
      std::filesystem::path folder = place / ("octavo-test-" + std::to_string(random()));
      if (std::filesystem::create_directory(folder)) return folder;
    }
  }
};

}  // namespace octavo
