#pragma once

#include <filesystem>
#include <optional>

#include "imageio/hdf5_file.h"
#include "octavo/output_file.h"

namespace octavo::imageio {

/// An HDF5 file that appears whole or not at all: a copy of the file that exists is extended, or a new file written.
class Hdf5Output {
 public:
  explicit Hdf5Output(const std::filesystem::path& file);
  [[nodiscard]] const Hdf5File& file() const { return *hdf5_; }
  void finish();

 private:
  std::filesystem::path target_;  // after all links
  OutputFile output_;             // holds the part file, and its lock
  std::optional<Hdf5File> hdf5_;  // the same file
};

}  // namespace octavo::imageio
