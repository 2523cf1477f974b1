// JSON in the files that a job leaves for later calls. A person may have edited them, a full disk may have cut them.

#pragma once

#include <fmt/core.h>

#include <filesystem>

#include "io/files/read_bytes.h"
#include "io/json/json.h"
#include "octavo/error.h"

namespace octavo {

/// What `take` makes of the JSON in a file. Throws Error(file_error) that names the file if it cannot be read, or if a
/// value is missing or is not what `take` uses it as.
template <class Take>
auto read_json_file(const std::filesystem::path& file, const Take& take) {
  const Json json = shallow_json(io::read_text(file));
  try {
    return take(json);
  } catch (const Json::exception&) {
    throw Error(ErrorCode::file_error, fmt::format("'{}' is damaged, or Octavo did not make it", file.string()));
  }
}

}  // namespace octavo
