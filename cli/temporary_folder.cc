#include "cli/temporary_folder.h"

#include <fmt/core.h>
#include <stdlib.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "octavo/error.h"

namespace octavo::cli {

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  std::string name = std::filesystem::temp_directory_path(error) / "octavo-XXXXXX";
  if (error || mkdtemp(name.data()) == nullptr) {
    if (!error) error.assign(errno, std::generic_category());
    throw Error(ErrorCode::file_error, fmt::format("{}: no temporary folder can be made: {}", name, error.message()));
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace octavo::cli
