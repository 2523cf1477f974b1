#pragma once

#include <filesystem>
#include <functional>

namespace octavo::imageio {

/// Runs `read` in a child process, because HDF5's library ends the process, or does not end, at some damaged files
/// (1.10.8 at one of 80 with some changed bytes). Throws Error(file_error), which names the file, if it does so, and
/// the Error that `read` throws.
void try_hdf5(const std::filesystem::path& file, const std::function<void()>& read);

}  // namespace octavo::imageio
