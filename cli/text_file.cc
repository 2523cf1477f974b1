// Writes text files. Failures are errors of the library's type.

#include "cli/text_file.h"

#include <fmt/core.h>

#include <fstream>

#include "octavo/error.h"

namespace octavo::cli {

void write_text(const std::filesystem::path& file, std::string_view text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw Error(ErrorCode::file_error, fmt::format("{}: cannot be written", file.string()));
}

}  // namespace octavo::cli
