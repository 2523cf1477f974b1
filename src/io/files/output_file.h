#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "engine/core/internal_api.h"

// Output files. Each appears whole or not at all, and none is a file that the same job reads. A job checks the names of
// its output files before the work, so that a wrong name costs no time.

namespace OCTAVO_INTERNAL_API octavo {

/// Writes a whole file or none: the bytes go into the file `.NAME.part` in the same folder, which is brought to the
/// disk (fsync) and then renamed to `file`. The permissions of a file that is replaced stay. A link is followed. A
/// `.NAME.part` of a process that was killed is overwritten. Processes and threads that write the same file at the same
/// time wait for each other; the last one remains. If `file` exists and is not a regular file, such as /dev/stdout, it
/// is written directly. A read-only file is not replaced. Throws Error(file_error), which names the file and the
/// system's reason; `file` is then unchanged, and there is no `.NAME.part`.
void write_file(const std::filesystem::path& file, std::span<const std::byte> bytes);
void write_file(const std::filesystem::path& file, std::string_view text);

/// The same file, written in parts, so that it need not fit into memory. It appears when finish() returns.
class OutputFile {
 public:
  /// Opens `.NAME.part`, after waiting for another process that writes the same file. Throws as write_file does.
  explicit OutputFile(const std::filesystem::path& file);
  /// Removes `.NAME.part` unless the file is finished.
  ~OutputFile();
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;

  /// Appends to the file. Throws as write_file does.
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);

  /// The open `.NAME.part`, for a process that writes the bytes in place of write().
  [[nodiscard]] int descriptor() const;

  /// Gives the file its name. Nothing can be written after that. Throws as write_file does.
  void finish();

  /// Both steps of finish() alone. Brings the bytes to the disk; nothing can be written after that.
  void sync();
  /// Gives the synchronised file this name, in place of that of the beginning, on the same file system, and brings the
  /// name to the disk too.
  void rename(const std::filesystem::path& file);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Throws the Error(file_error) of write_file for the first of the files that cannot be written: the name is empty, too
/// long, or that of a folder; the file is read-only; its folder does not exist, is not a folder, or takes no files,
/// such as on a read-only file system. Writes nothing. A full disk shows only when the files are written.
void require_writable(std::span<const std::filesystem::path> files);

/// The same for a folder that a job makes if it is missing, with those above it, and fills with files.
void require_writable_folder(const std::filesystem::path& folder);

/// Throws Error(invalid_option) for the option if the name of one of the files has none of these endings. `endings` are
/// in lower case, such as ".html"; the names may have letters of either case.
void require_ending(std::span<const std::filesystem::path> files, std::span<const std::string_view> endings,
                    std::string_view option = "output");

/// Both for a page: its name must end in .html or .htm.
void require_writable_page(const std::filesystem::path& file);

/// Throws Error(invalid_option) for the option if one of the files or folders in `written` exists and is one of those
/// in `read`, by the same or another name. Call it before the work.
void require_not_read(std::span<const std::filesystem::path> written, std::span<const std::filesystem::path> read,
                      std::string_view option = "output");

/// Makes the folder and those above it, where they are missing. Throws Error(file_error) naming it.
void make_folder(const std::filesystem::path& folder);

}  // namespace octavo
