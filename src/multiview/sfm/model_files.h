#pragma once

// The two forms of a model's files. The functions throw Error(file_error), which names the file.

#include <filesystem>
#include <string>

#include "octavo/multiview/sfm.h"

namespace octavo::sfm {

/// Throws the error of a damaged file.
[[noreturn]] void refuse_file(const std::filesystem::path& file, const std::string& why);

SfmModel read_binary_model(const std::filesystem::path& folder);
SfmModel read_text_model(const std::filesystem::path& folder);

}  // namespace octavo::sfm
