#pragma once

#include <filesystem>
#include <string_view>

namespace octavo::cli {

/// Throws Error(file_error) naming the file.
void write_text(const std::filesystem::path& file, std::string_view text);

/// The folder and those above it, where they are missing. Throws Error(file_error) naming it.
void make_folder(const std::filesystem::path& folder);

}  // namespace octavo::cli
