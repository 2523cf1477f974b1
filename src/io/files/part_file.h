#pragma once

#include <filesystem>
#include <string_view>

namespace octavo::io {

/// The hidden file `.NAME.ENDING` in the folder of a file, for work on it. The middle of a long name becomes its
/// digest, so that a name as long as file systems take leaves room for this, and for what SQLite adds behind it.
std::filesystem::path beside(const std::filesystem::path& file, std::string_view ending);

/// The file into which write_file writes what then becomes `file`.
inline std::filesystem::path part_of(const std::filesystem::path& file) { return beside(file, "part"); }

}  // namespace octavo::io
