#pragma once

#include <filesystem>
#include <string>

namespace octavo::io {

/// A new folder for temporary files, which only this user may read. The destructor removes it with all that is in it.
class TemporaryFolder {
 public:
  /// In the system's folder for such files (TMPDIR), with a name that begins like this. Throws Error(file_error).
  explicit TemporaryFolder(const std::string& name);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace octavo::io
