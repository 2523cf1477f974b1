#pragma once

// Folders that appear whole or not at all, as output files do (output_file.h).

#include <filesystem>

#include "engine/core/internal_api.h"

namespace OCTAVO_INTERNAL_API octavo {

/// A folder NAME is made as `NAME.partial`, which takes the name when it is finished. The folder of before is
/// `NAME.before` meanwhile, so that it is not lost if the process is killed.
class WholeFolder {
 public:
  /// Makes an empty `NAME.partial`, and brings back what a process that was killed has set aside. Throws
  /// Error(file_error).
  explicit WholeFolder(std::filesystem::path folder);
  /// Removes `NAME.partial` unless the folder is finished.
  ~WholeFolder();
  WholeFolder(const WholeFolder&) = delete;
  WholeFolder& operator=(const WholeFolder&) = delete;

  /// The folder to fill.
  [[nodiscard]] const std::filesystem::path& partial() const { return partial_; }
  /// Gives the folder its name, in place of that of before. Throws std::filesystem::filesystem_error.
  void finish() const;

 private:
  std::filesystem::path folder_, partial_, before_;
};

}  // namespace octavo
