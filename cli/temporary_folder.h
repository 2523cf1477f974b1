#pragma once

#include <filesystem>

namespace octavo::cli {

/// A folder of its own among the system's temporary ones, gone with all that is in it when this goes.
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
