// Makes the folders for output files.

#include <fmt/core.h>

#include <system_error>

#include "io/files/output_file.h"
#include "octavo/error.h"

namespace octavo {

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw Error(ErrorCode::file_error,
                fmt::format("cannot make the folder '{}': {}", folder.string(), error.message()));
  }
}

}  // namespace octavo
