#pragma once

#include <filesystem>
#include <string>

namespace octavo::io {

/// The file into which write_file writes what then becomes `file`.
inline std::filesystem::path part_of(const std::filesystem::path& file) {
  std::string name(".");
  name += file.filename().string();
  name += ".part";
  return file.parent_path() / name;
}

}  // namespace octavo::io
