#pragma once

#include <filesystem>
#include <optional>

#include "imageio/hdf5_file.h"
#include "octavo/output_file.h"

namespace octavo::imageio {

/// An HDF5 file that appears whole or not at all.
class Hdf5Output {
 public:
  enum class Existing { extended, replaced };

  /// Extends a copy of the file that exists, or begins a new one.
  explicit Hdf5Output(const std::filesystem::path& file, Existing existing = Existing::extended);
  [[nodiscard]] const Hdf5File& file() const { return *hdf5_; }
  /// The file that is written, after all links.
  [[nodiscard]] const std::filesystem::path& target() const { return target_; }
  [[nodiscard]] bool is_extended() const { return is_extended_; }
  void finish();

 private:
  std::filesystem::path target_;
  OutputFile output_;  // holds the part file, and its lock
  bool is_extended_;
  std::optional<Hdf5File> hdf5_;  // the same file
};

}  // namespace octavo::imageio
