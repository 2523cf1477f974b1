#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace octavo::io {

/// The content of a file or pipe. Throws Error(file_error), which names it and the reason: missing, a directory, a
/// device, not permitted. Throws Error(out_of_memory).
std::vector<std::byte> read_bytes(const std::filesystem::path& file);

/// The same for a file of text, which must have at most 1 GiB.
std::string read_text(const std::filesystem::path& file);

/// Throws Error(file_error) with the message "cannot read 'NAME': WHY".
[[noreturn]] void refuse(const std::string& name, const std::string& why);

}  // namespace octavo::io
