#include "io/files/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "io/files/file_descriptor.h"

namespace octavo::io {

TemporaryFolder::TemporaryFolder(const std::string& name) {
  std::error_code error;
  const std::filesystem::path place = std::filesystem::temp_directory_path(error);
  std::string made = (place / (name + "-XXXXXX")).string();
  if (error || mkdtemp(made.data()) == nullptr) fail_file("make", made, error ? error.value() : errno);
  path_ = made;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace octavo::io
