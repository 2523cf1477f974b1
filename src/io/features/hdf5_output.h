#pragma once

#include <filesystem>
#include <optional>

#include "io/features/hdf5_file.h"
#include "io/files/file_descriptor.h"
#include "io/files/output_file.h"

namespace octavo::io {

/// A file that a copy extends. Other programs may read it. HDF5's library locks a file that it opens for writing
/// (flock), and cannot open this one as long as the object lives. All functions throw Error(file_error), which names
/// the file.
class Hdf5Original {
 public:
  /// Throws if another program has the file open for writing.
  explicit Hdf5Original(const std::filesystem::path& file);
  void copy_to(OutputFile& copy) const;
  /// Throws if the file has changed, or lost its name, since it was opened: not every program has locks.
  void require_unchanged() const;

 private:
  [[noreturn]] void refuse(const char* why) const;

  std::filesystem::path file_;
  FileDescriptor descriptor_;
  FileFacts facts_;
};

/// An HDF5 file that appears whole or not at all.
class Hdf5Output {
 public:
  enum class Existing { extended, replaced };

  /// Extends a copy of the file that exists, or begins a new one.
  explicit Hdf5Output(const std::filesystem::path& file, Existing existing = Existing::extended);
  [[nodiscard]] const Hdf5File& file() const { return *hdf5_; }
  /// The file that is written, after all links.
  [[nodiscard]] const std::filesystem::path& target() const { return target_; }
  [[nodiscard]] bool is_extended() const { return original_.has_value(); }
  /// Throws Error(file_error) if another program has changed the file that is extended.
  void finish();

 private:
  std::filesystem::path target_;
  std::optional<OutputFile> output_;  // holds the part file, and its lock, until it has its name
  std::optional<Hdf5Original> original_;
  std::optional<Hdf5File> hdf5_;  // the same file
};

}  // namespace octavo::io
