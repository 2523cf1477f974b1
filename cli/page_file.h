#pragma once

#include <filesystem>
#include <string>

namespace octavo::cli {

/// Checks the file of a page, which `option` names. A command calls it before the work. Throws CLI::ValidationError
/// that names the option if the file ends neither in .html nor in .htm, and Error(file_error) if it cannot be written.
void require_page_file(const std::string& option, const std::filesystem::path& file);

}  // namespace octavo::cli
