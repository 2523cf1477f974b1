#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace octavo::imageio {

/// Writes a whole file or none: the bytes go into a temporary file beside `file`, which then takes its name. A link is
/// followed; what is neither a file nor missing, such as /dev/stdout, is written directly. Throws Error(file_error)
/// naming the file, and leaves no temporary file behind.
void write_file(const std::filesystem::path& file, std::span<const std::byte> bytes);

}  // namespace octavo::imageio
