#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

// Output files. Each appears whole or not at all, and none is a file that the same job reads.

namespace octavo {

/// Writes a whole file or none: the bytes go into the file `.NAME.part` in the same folder, which is then renamed to
/// `file`. A link is followed. A `.NAME.part` of a process that was killed is overwritten. Processes and threads that
/// write the same file at the same time wait for each other; the last one remains. If `file` exists and is not a
/// regular file, such as /dev/stdout, it is written directly. Throws Error(file_error), which names the file and the
/// system's reason; `file` is then unchanged, and there is no `.NAME.part`.
void write_file(const std::filesystem::path& file, std::span<const std::byte> bytes);
void write_file(const std::filesystem::path& file, std::string_view text);

/// Throws Error(invalid_option) for the option `output` if one of the files in `written` exists and is one of those in
/// `read`, by the same or another name. Call it before the work.
void require_not_read(std::span<const std::filesystem::path> written, std::span<const std::filesystem::path> read);

}  // namespace octavo
