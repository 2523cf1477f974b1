#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace octavo::imageio {

/// Writes a whole file or none: the bytes go into a temporary file beside `file`, which is then renamed to `file`. A
/// link is followed. If `file` exists and is not a regular file, such as /dev/stdout, it is written directly. Throws
/// Error(file_error), which names the file, and leaves no temporary file.
void write_file(const std::filesystem::path& file, std::span<const std::byte> bytes);

}  // namespace octavo::imageio
