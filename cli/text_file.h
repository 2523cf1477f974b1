#pragma once

#include <filesystem>
#include <string_view>

namespace octavo::cli {

/// Writes the text to the file. Throws Error(file_error) that names the file.
void write_text(const std::filesystem::path& file, std::string_view text);

}  // namespace octavo::cli
