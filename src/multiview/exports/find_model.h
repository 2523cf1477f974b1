#pragma once

#include <filesystem>

namespace octavo::exports {

/// The folder with the files of a model (cameras.bin or .txt): `place` itself, its folder `sparse`, or the one with
/// most images of the folders 0, 1 … in either. Throws Error(file_error) if there is none.
std::filesystem::path find_model(const std::filesystem::path& place);

}  // namespace octavo::exports
