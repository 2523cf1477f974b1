// Writing text files and making the folders they go to, with the library's kind of errors.

#include "cli/text_file.h"

#include <fmt/core.h>

#include <fstream>
#include <system_error>

#include "octavo/error.h"

namespace octavo::cli {

void write_text(const std::filesystem::path& file, std::string_view text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw Error(ErrorCode::file_error, fmt::format("{}: cannot be written", file.string()));
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw Error(ErrorCode::file_error,
                fmt::format("{}: the folder cannot be made: {}", folder.string(), error.message()));
  }
}

}  // namespace octavo::cli
