#pragma once

#include <filesystem>
#include <string>

namespace octavo::cli {

/// To be called before the work whose page goes to `file`, as `option` says. Throws CLI::ValidationError naming the
/// option for a file that ends neither in .html nor in .htm, Error(file_error) for one that cannot be written.
void require_page_file(const std::string& option, const std::filesystem::path& file);

}  // namespace octavo::cli
