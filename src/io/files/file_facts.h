#pragma once

// What the system says of files: file_facts_posix.cc and file_facts_windows.cc ask it.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

namespace octavo::io {

/// A file's number in the system, which all its names have in common.
using FileIdentity = std::pair<std::uint64_t, std::uint64_t>;

struct FileFacts {
  FileIdentity identity{};
  std::uint64_t size = 0;     ///< [byte]
  std::int64_t modified = 0;  ///< [nanosecond] since 1970
  bool is_regular = false, is_folder = false;
  bool operator==(const FileFacts&) const = default;
};

/// The facts of what a name stands for, after all links; none if there is nothing, or if they cannot be told.
std::optional<FileFacts> facts_of(const std::filesystem::path& file);

/// Returns 0 if this process may write to the file, or add files to the folder, as far as the system tells before it is
/// done; otherwise the error.
int writing_error(const std::filesystem::path& path);

/// The most letters (of path::native) that a name in the folder can have; 0: unknown.
std::size_t longest_name(const std::filesystem::path& folder);

}  // namespace octavo::io
