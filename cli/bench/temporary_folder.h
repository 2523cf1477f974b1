#pragma once

#include <filesystem>

namespace octavo::cli {

/// A new folder in the system's folder for temporary files. The destructor removes it with all its contents.
class TemporaryFolder {
 public:
  /// Throws Error(file_error).
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace octavo::cli
