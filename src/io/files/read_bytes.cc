// Reads whole files, and makes the error message for files that cannot be read.

#include "io/files/read_bytes.h"

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <new>
#include <system_error>

#include "io/files/file_descriptor.h"
#include "octavo/error.h"

namespace octavo::io {

void refuse(const std::string& name, const std::string& why) {
  throw Error(ErrorCode::file_error, "cannot read '" + name + "': " + why);
}

std::vector<std::byte> read_bytes(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  std::error_code problem;
  const fs::file_status status = fs::status(file, problem);
  if (status.type() == fs::file_type::not_found) refuse(file.string(), "no such file");
  if (problem) refuse(file.string(), problem.message());
  if (fs::is_directory(status)) refuse(file.string(), "it is a directory");
  if (!fs::is_regular_file(status) && !fs::is_fifo(status)) refuse(file.string(), "it is a device, not a file");

  const FileDescriptor descriptor(file, O_RDONLY);
  if (descriptor.number() < 0) refuse(file.string(), std::generic_category().message(errno));
  std::vector<std::byte> bytes;
  std::size_t needed = 0;
  try {
    if (fs::is_regular_file(status)) needed = fs::file_size(file, problem);
    // The buffer is reserved at once: if there is not enough memory, this fails before the file is read.
    if (!problem) bytes.reserve(needed);
    std::array<std::byte, 1 << 16> part;
    for (std::ptrdiff_t count = 0; (count = descriptor.read(part)) != 0;) {
      if (count < 0) refuse(file.string(), std::generic_category().message(errno));
      needed = bytes.size() + static_cast<std::size_t>(count);
      bytes.insert(bytes.end(), part.begin(), part.begin() + count);
    }
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory,
                "cannot read '" + file.string() + "': not enough memory for its " + std::to_string(needed) + " bytes");
  }
  return bytes;
}

std::string read_text(const std::filesystem::path& file) {
  constexpr std::uintmax_t most = std::uintmax_t{1} << 30;
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(file, unknown);
  if (!unknown && size > most) refuse(file.string(), "a text file must have at most 1 GiB");
  const std::vector<std::byte> bytes = read_bytes(file);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace octavo::io
