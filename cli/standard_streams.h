#pragma once

// "-" as the name of a file on the command line: the standard input where a file is read, the standard output where
// one is written. A file that is called "-" is named as "./-".

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/image.h"
#include "octavo/read_options.h"

namespace octavo::cli {

/// Whether a name stands for a standard stream.
inline bool is_standard_stream(const std::filesystem::path& name) { return name == "-"; }

/// All bytes of the standard input. Throws Error(file_error), which gives the reason: it is a terminal, or it cannot be
/// read. Throws Error(out_of_memory).
std::vector<std::byte> read_standard_input();

/// The picture of this name, as octavo::read_image reads it, or that of the standard input for "-". Errors call it
/// 'standard input'.
Image read_picture(const std::string& name, const ReadOptions& options);

/// Throws CLI::ValidationError if more than one of the names is "-": the standard input holds one file.
void require_one_standard_input(std::span<const std::string> names);
inline void require_one_standard_input(std::initializer_list<std::string> names) {
  require_one_standard_input(std::span(names.begin(), names.size()));
}

/// Writes the bytes of a file to the standard output. Throws Error(file_error).
void write_standard_output(std::span<const std::byte> bytes);

}  // namespace octavo::cli
