#pragma once

// The files in a folder, and in those below it. A folder that cannot be read costs its own files alone.

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace octavo::io {

struct FilesBelow {
  std::vector<std::filesystem::path> files;  ///< regular files and links to such, sorted by path
  std::vector<std::string> problems;         ///< a sentence for each folder that cannot be read, or not wholly
};

/// The sentence about a folder that cannot be read; empty is the working directory.
std::string unreadable_folder(const std::filesystem::path& folder, const std::error_code& error);

/// Lists a folder, with `recursive` those at any depth below it too. Files and folders whose names begin with a dot are
/// left out, as the system's shell leaves them out: macOS puts one, "._photo.jpg", beside each photograph on disks of
/// other systems. Links to folders are not followed, since they may lead back.
FilesBelow files_below(const std::filesystem::path& folder, bool recursive);

}  // namespace octavo::io
