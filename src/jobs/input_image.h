#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

#include "octavo/io/photograph.h"

namespace octavo::jobs {

/// Reads an image, or decodes the bytes of the standard input if the name is "-" and there are some. Throws as
/// read_photograph does, and what `standard_input` throws.
inline Photograph read_input(const std::filesystem::path& image, const ReadOptions& options,
                             const std::function<std::vector<std::byte>()>& standard_input) {
  if (!standard_input || image != "-") return read_photograph(image, options);
  return decode_photograph(standard_input(), "standard input", options);
}

}  // namespace octavo::jobs
