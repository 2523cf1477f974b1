#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace octavo::io {

/// Runs `read` in a child process, because HDF5's library ends the process, or does not end, at some damaged files
/// (1.10.8 at one of 80 with some changed bytes). Throws Error(file_error) if it does so, and the Error that `read`
/// throws; `name` is what the first calls the file. Where no child process can be started nothing is tried.
void try_hdf5(const std::filesystem::path& file, const std::string& name, const std::function<void()>& read);

}  // namespace octavo::io
